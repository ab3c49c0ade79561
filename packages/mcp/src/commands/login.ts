import { createClient } from '@burgee/contract/client'
import { command } from '@burgee/kit/commandLine'
import { parseBoolean, pickSettings, UsageError } from '@burgee/kit/settings'
import { limitedFetch, signIn, storedTokens } from '@burgee/sign-in'
import { signInProgram } from '../login/credentials.ts'
import { type AccountOptions, accountSettings, settings } from '../settings/settings.ts'
import type { ToolSettings } from '../settings/toolSettings.ts'
import { chooseProject, getProjectKey } from './chooseProject.ts'
import type { Terminal } from './terminal.ts'

/** `burgee-mcp login` */
export const login = command({
  name: 'login',
  summary: 'Sign in with a browser, and choose a project.',
  settings: {
    ...pickSettings(accountSettings, 'apiUrl', 'clientId', 'clientSecret', 'clientSecretFile', 'project'),
    ...pickSettings(settings, 'readOnly', 'categories'),
    noBrowser: {
      kind: 'switch',
      variable: false,
      help: 'Print the address without opening a browser.',
      parse: parseBoolean
    }
  },
  run: async ({ settings: options }, terminal: Terminal) => {
    const { apiUrl, clientId, project, noBrowser } = options
    assertNoSecret(options)
    const { file, print, now, hostname } = terminal
    // Fails before the sign-in if the file is unusable.
    await file.read(apiUrl)
    const show = (address: string) => showAddress(address, noBrowser, terminal)
    const scope = await scopeFor(options)
    const signedIn = await signIn({ apiUrl, clientId, scope, hostname, now, show, program: signInProgram })
    const { name, email } = signedIn.who
    await file.change(apiUrl, async () => signedIn)
    print(`Signed in to ${apiUrl} as ${[name, email && `(${email})`].filter(Boolean).join(' ') || signedIn.who.id}.`)
    const client = createClient({
      baseUrl: apiUrl,
      fetch: limitedFetch,
      credentials: { tokenSource: storedTokens({ file, apiUrl, now, program: signInProgram }) }
    })
    const chosen = project === '' ? await chooseProject(client, terminal) : await getProjectKey(client, project)
    if (chosen === undefined) {
      print('No default project. Set one with burgee-mcp project <key>.')
      return 0
    }
    await file.change(apiUrl, async (held) => held && { ...held, project: chosen })
    print(`Default project: ${chosen}.`)
    return 0
  }
})

/**
 * Returns the scope of the tools that the settings enable. It limits the harm of a stolen token: that of an
 * administrator cannot change the organization.
 */
async function scopeFor(options: Pick<ToolSettings, 'readOnly' | 'categories'>): Promise<string> {
  // Loaded on demand, since the other commands start faster without it.
  const { enabledTools } = await import('../tools/enabledTools.ts')
  return [...new Set(enabledTools(options).flatMap(({ permissions }) => permissions))].sort().join(' ')
}

/** Asserts that no client secret is set: the tools would act as that client and ignore the sign-in. @throws {UsageError} */
function assertNoSecret({ clientSecret, clientSecretFile }: Pick<AccountOptions, 'clientSecret' | 'clientSecretFile'>) {
  if (clientSecret === '' && clientSecretFile === '') return
  const variable = clientSecret === '' ? 'SERVICE_CLIENT_SECRET_FILE' : 'SERVICE_CLIENT_SECRET'
  throw new UsageError(
    `${variable} is set: the tools act as this API client, and a sign-in has no effect. Unset it and SERVICE_CLIENT_ID to sign in`
  )
}

async function showAddress(address: string, noBrowser: boolean, { print, open }: Terminal): Promise<void> {
  print(`Sign in at this address${noBrowser ? '' : ', which opens in your browser'}:\n\n  ${address}\n`)
  // The address is printed, so a missing browser is not an error.
  if (!noBrowser) await open(address).catch(() => {})
}
