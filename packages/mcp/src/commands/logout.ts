import { command } from '@burgee/kit/commandLine'
import { pickSettings } from '@burgee/kit/settings'
import { signOut } from '@burgee/sign-in'
import { signInProgram } from '../login/credentials.ts'
import { messageOf } from '../results/toolFailure.ts'
import { accountSettings } from '../settings/settings.ts'
import type { Terminal } from './terminal.ts'

/** `burgee-mcp logout` */
export const logout = command({
  name: 'logout',
  summary: 'Revoke the sign-in on the server, and remove it from this computer.',
  settings: pickSettings(accountSettings, 'apiUrl'),
  details: 'A copy of the access token stays valid until it expires, after eight hours at most.',
  run: async ({ settings: { apiUrl } }, { file, print, notice }: Terminal) => {
    const { outcome, failure } = await signOut(file, apiUrl, signInProgram)
    if (failure === undefined) {
      print(outcome === 'signedOut' ? `Signed out of ${apiUrl}.` : `Not signed in to ${apiUrl}.`)
      return 0
    }
    notice(`removed the sign-in from this computer, but could not revoke it on ${apiUrl}: ${messageOf(failure)}`)
    return 1
  }
})
