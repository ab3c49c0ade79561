import { command } from '@burgee/kit/commandLine'
import { pickSettings } from '@burgee/kit/settings'
import { revokeSignIn } from '@burgee/sign-in'
import { signInProgram } from '../login/credentials.ts'
import { accountSettings } from '../options.ts'
import { messageOf } from '../results/toolFailure.ts'
import type { Terminal } from './terminal.ts'

/** `burgee-mcp logout` */
export const logout = command({
  name: 'logout',
  summary: 'Revoke the sign-in on the server, and remove it from this computer.',
  settings: pickSettings(accountSettings, 'apiUrl'),
  details: 'A copy of the access token stays valid until it expires, after eight hours at most.',
  run: async ({ settings: { apiUrl } }, { file, print, notice }: Terminal) => {
    if (!(await file.read(apiUrl))) {
      print(`Not signed in to ${apiUrl}.`)
      return 0
    }
    let failure: unknown
    await file.change(apiUrl, async (held) => {
      // Removed locally even if the server is unreachable.
      if (held) await revokeSignIn(apiUrl, held, signInProgram).catch((error) => (failure = error))
      return undefined
    })
    if (failure === undefined) {
      print(`Signed out of ${apiUrl}.`)
      return 0
    }
    notice(`removed the sign-in from this computer, but could not revoke it on ${apiUrl}: ${messageOf(failure)}`)
    return 1
  }
})
