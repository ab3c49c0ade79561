import { parseBoolean, parseText, pickSettings, UsageError } from '@burgee/kit/settings'
import type { SignInProgram } from '@burgee/sign-in'
import { credentialVariable } from '../../profiles/credentialSettings.ts'
import type { Credentials } from '../../profiles/credentials.ts'
import { localCommand } from '../../run/localCommand.ts'
import { connectionSettings, environmentSettings, projectSettings } from '../../run/settings.ts'
import type { Terminal } from '../../run/terminal.ts'

/** `burgee login` */
export const login = localCommand({
  name: 'login',
  summary: 'Sign in to a server with a browser here or elsewhere, or store the credentials of an API client.',
  settings: {
    ...pickSettings(connectionSettings, 'server', 'profile', 'debug'),
    ...projectSettings,
    ...environmentSettings,
    clientId: {
      placeholder: 'id',
      help: 'Id of a public client for the browser, or of an API client with --as-client. If empty, the client that the server provides for this program.',
      parse: parseText
    },
    asClient: {
      kind: 'switch',
      variable: false,
      help: 'Store the credentials of an API client. Reads its secret from BURGEE_CLIENT_SECRET or standard input; on a terminal, asks for it.',
      parse: parseBoolean
    },
    device: {
      kind: 'switch',
      variable: false,
      help: 'Sign in with a browser on any computer, by a code. Automatic over SSH, and on Linux without a display.',
      parse: parseBoolean
    },
    noBrowser: {
      kind: 'switch',
      variable: false,
      help: 'Print the address for a browser on this computer without opening it.',
      parse: parseBoolean
    }
  },
  details: [
    'Commands refresh the token of the sign-in when it expires. The profile of the',
    'server becomes the current one.',
    '',
    'Example:',
    '  burgee login --server https://flags.example.com --project shop'
  ].join('\n'),
  run: async ({ settings }, terminal) => {
    const { readCredentials } = await import('../../run/session.ts')
    const { resolveServer } = await import('../../run/resolveServer.ts')
    const { assertSecure } = await import('../../profiles/credentials.ts')
    const { useProfile } = await import('../../profiles/useProfile.ts')
    const { server } = await resolveServer({ ...settings, profile: await knownProfile(settings, terminal) }, terminal)
    const given = readCredentials(terminal)
    assertSecure(server, given.allowHttp)
    const file = await terminal.credentials()
    // Fails before the sign-in if the file is unusable.
    await file.read(server)
    const clientId = settings.clientId || (settings.asClient ? given.clientId : '')
    const stored = settings.asClient
      ? await clientLogin(server, { clientId, secret: given.clientSecret, debug: settings.debug }, terminal)
      : await personLogin(server, { ...settings, clientId }, terminal)
    await file.change(server, async () => stored)
    const account = 'refreshToken' in stored ? (stored.who.email ?? stored.who.name ?? stored.who.id) : stored.clientId
    const { name } = await useProfile(terminal.profiles, {
      name: settings.profile,
      server,
      project: '',
      environment: ''
    })
    const { project, environment } = settings
    if (project || environment) {
      const { assertDefaults } = await import('./assertDefaults.ts')
      const { BURGEE_ALLOW_HTTP } = terminal.environment
      // Other credentials of the environment would take precedence over those of the sign-in.
      const signedIn = { ...terminal, environment: { BURGEE_ALLOW_HTTP } }
      await assertDefaults({ ...settings, profile: name }, signedIn, 'login').catch((error: unknown) => {
        terminal.notice(`signed in to ${server} as ${account}, without changing the defaults of profile ${name}`)
        throw error
      })
      await useProfile(terminal.profiles, { name, server, project, environment })
    }
    return {
      data: { server, profile: name, account },
      text: () => `Signed in to ${server} as ${account}. Profile: ${name}.`
    }
  }
})

/** A new profile can be named before it exists. */
async function knownProfile({ profile }: { readonly profile: string }, { profiles }: Terminal): Promise<string> {
  return profile in (await profiles.read()).profiles ? profile : ''
}

async function personLogin(
  server: string,
  {
    clientId,
    device,
    noBrowser,
    debug
  }: { readonly clientId: string; readonly device: boolean; readonly noBrowser: boolean; readonly debug: boolean },
  terminal: Terminal
): Promise<Credentials> {
  const { notice, open, hostname, now, environment } = terminal
  if (device && noBrowser) throw new UsageError('pass one of --device and --no-browser, not both')
  const used = credentialVariable(environment)
  if (used !== undefined)
    throw new UsageError(`${used} is set: commands use it, and a sign-in has no effect. Unset it first`)
  const { deviceSignIn, signIn } = await import('@burgee/sign-in')
  const { FULL_ACCESS_SCOPE } = await import('@burgee/contract')
  const { signInProgram } = await import('../../profiles/credentials.ts')
  const program = debug ? await debuggedProgram(signInProgram, terminal) : signInProgram
  const given = { apiUrl: server, clientId, scope: FULL_ACCESS_SCOPE, hostname, now, program }
  if (device || (!noBrowser && !hasBrowser(environment))) {
    return deviceSignIn({
      ...given,
      show: async ({ code, address, completeAddress }) => {
        notice(`open ${address} in any browser, and enter the code ${code}`)
        notice(`the same page with the code filled in: ${completeAddress}`)
      }
    })
  }
  const show = async (address: string) => {
    notice(`sign in at this address${noBrowser ? '' : ', which opens in your browser'}: ${address}`)
    // The address is printed, so a missing browser is not an error.
    if (!noBrowser) await open(address).catch(() => {})
  }
  return signIn({ ...given, show })
}

/** Returns a program whose requests for a sign-in are described. */
export async function debuggedProgram(program: SignInProgram, terminal: Terminal): Promise<SignInProgram> {
  const [{ boundedFetch }, { debugFetch }] = await Promise.all([
    import('@burgee/sign-in'),
    import('../../run/http/debugFetch.ts')
  ])
  return { ...program, send: debugFetch(boundedFetch, terminal) }
}

/** Whether a browser on this computer can show a page to the person. */
function hasBrowser({ SSH_CONNECTION, SSH_TTY, DISPLAY, WAYLAND_DISPLAY }: Terminal['environment']): boolean {
  if (SSH_CONNECTION || SSH_TTY) return false
  return process.platform !== 'linux' || Boolean(DISPLAY || WAYLAND_DISPLAY)
}

async function clientLogin(
  server: string,
  { clientId, secret: given, debug }: { readonly clientId: string; readonly secret: string; readonly debug: boolean },
  terminal: Terminal
): Promise<Credentials> {
  const { readInput, ask } = terminal
  if (clientId === '') throw new UsageError('--as-client needs --client-id or BURGEE_CLIENT_ID')
  const typed = () => (ask ? ask(`Secret of API client ${clientId}: `, 'hidden') : readInput())
  const clientSecret = given || (await typed()).trim()
  if (clientSecret === '') throw new UsageError('the secret is empty')
  const [{ clientTokens }, { limitedFetch, SignInError }, { ApiError }, { debugFetch }] = await Promise.all([
    import('../../profiles/credentials.ts'),
    import('@burgee/sign-in'),
    import('@burgee/contract/client'),
    import('../../run/http/debugFetch.ts')
  ])
  const credentials = { clientId, clientSecret }
  // Proves that the server accepts them.
  const tokens = clientTokens(server, credentials, debug ? debugFetch(limitedFetch, terminal) : limitedFetch)
  await tokens.getToken('token').catch((error: unknown) => {
    const isRefused = error instanceof ApiError && (error.status === 400 || error.status === 401)
    if (!isRefused) throw error
    throw new SignInError(`the server refuses API client ${clientId} with this secret: check both`, { cause: error })
  })
  return credentials
}
