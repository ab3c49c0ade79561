import { parseBoolean, pickSettings } from '@burgee/kit/settings'
import { exitCodes } from '../../run/failures/exitCodes.ts'
import { localCommand } from '../../run/localCommand.ts'
import { connectionSettings } from '../../run/settings.ts'
import type { Terminal } from '../../run/terminal.ts'
import { debuggedProgram } from './login.ts'

/** `burgee logout` */
export const logout = localCommand({
  name: 'logout',
  summary: 'Revoke a sign-in on the server, and remove the credentials from this computer.',
  settings: {
    ...pickSettings(connectionSettings, 'server', 'profile', 'debug'),
    all: { kind: 'switch', variable: false, help: 'Sign out of all servers.', parse: parseBoolean }
  },
  details:
    'A copy of an access token stays valid until it expires, after eight hours at most.\n\nExample:\n  burgee logout --server https://flags.example.com',
  run: async ({ settings }, terminal) => {
    const { resolveServer } = await import('../../run/resolveServer.ts')
    const file = await terminal.credentials()
    const servers = settings.all ? await file.servers() : [(await resolveServer(settings, terminal)).server]
    const results = await Promise.all(servers.map((server) => signOutOf(server, settings.debug, terminal)))
    const failed = results.filter(({ problem }) => problem !== undefined)
    for (const { server, problem } of failed) {
      terminal.notice(`removed the credentials for ${server}, but could not revoke the sign-in there: ${problem}`)
    }
    return {
      data: results,
      text: () => results.map(describe).join('\n') || 'Not signed in to any server.',
      ...(failed.length > 0 && { exitCode: exitCodes.unavailable })
    }
  }
})

interface SignedOut {
  readonly server: string
  readonly outcome: 'signedOut' | 'notSignedIn'
  /** Why the server did not revoke the sign-in. */
  readonly problem?: string
}

function describe({ server, outcome }: SignedOut): string {
  return outcome === 'signedOut' ? `Signed out of ${server}.` : `Not signed in to ${server}.`
}

async function signOutOf(server: string, debug: boolean, terminal: Terminal): Promise<SignedOut> {
  const { signOut } = await import('@burgee/sign-in')
  const { signInProgram } = await import('../../profiles/credentials.ts')
  const { toFailure } = await import('../../run/failures/toFailure.ts')
  const { outcome, failure } = await signOut(
    await terminal.credentials(),
    server,
    debug ? await debuggedProgram(signInProgram, terminal) : signInProgram
  )
  return { server, outcome, ...(failure !== undefined && { problem: toFailure(failure).message }) }
}
