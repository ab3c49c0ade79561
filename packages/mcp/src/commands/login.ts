import { createClient } from '@burgee/contract/client'
import { patientFetch } from '../login/patientFetch.ts'
import { signIn } from '../login/signIn.ts'
import { storedTokens } from '../login/storedTokens.ts'
import { type AccountOptions, OptionError } from '../options.ts'
import { chooseProject, projectNamed } from './chooseProject.ts'
import type { Command, Terminal } from './command.ts'
import { noArguments } from './noArguments.ts'

/** Signs somebody in. */
export const login: Command = {
  name: 'login',
  usage: '',
  summary: 'Sign in with a browser, and choose a project.',
  takes: ['apiUrl', 'clientId', 'project'],
  flags: { 'no-browser': { type: 'boolean' } },
  details: ['  --no-browser\n      Only print the address, and open no browser.'],
  run: async (given, options, terminal) => {
    noArguments(given)
    demandNoSecret(options)
    const { apiUrl, clientId, project } = options
    const { file, print, now, hostname } = terminal
    // Before somebody signs in for nothing: it could be a file that is refused.
    await file.read(apiUrl)
    const show = (address: string) => announce(address, given.flags['no-browser'] === true, terminal)
    const signedIn = await signIn({ apiUrl, clientId, hostname, now, show })
    const { name, email } = signedIn.who
    await file.change(apiUrl, async () => signedIn)
    print(`Signed in to ${apiUrl} as ${[name, email && `(${email})`].filter(Boolean).join(' ') || signedIn.who.id}.`)
    const client = createClient({
      baseUrl: apiUrl,
      fetch: patientFetch,
      credentials: { tokenSource: storedTokens({ file, apiUrl, now }) }
    })
    const chosen = project === '' ? await chooseProject(client, terminal) : await projectNamed(client, project)
    if (chosen === undefined) {
      print('No project is chosen for calls that choose none: choose one with burgee-mcp project <key>.')
      return 0
    }
    await file.change(apiUrl, async (held) => held && { ...held, project: chosen })
    print(`Calls that choose no project are about ${chosen}.`)
    return 0
  }
}

/** With a secret an API client acts, and nobody who signed in would. @throws {OptionError} */
function demandNoSecret({ clientSecret, clientSecretFile }: AccountOptions): void {
  if (clientSecret === '' && clientSecretFile === '') return
  const variable = clientSecret === '' ? 'SERVICE_CLIENT_SECRET_FILE' : 'SERVICE_CLIENT_SECRET'
  throw new OptionError(
    `${variable} is set, so to sign in is of no use: the API client that it belongs to acts for itself, and nobody signs in to one with a secret. Unset it and SERVICE_CLIENT_ID, or do without login`
  )
}

async function announce(address: string, isQuiet: boolean, { print, open }: Terminal): Promise<void> {
  print(`Sign in at this address${isQuiet ? '' : ', which your browser should show now'}:\n\n  ${address}\n`)
  // Where there is no browser, the address is enough.
  if (!isQuiet) await open(address).catch(() => {})
}
