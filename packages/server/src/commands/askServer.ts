import { createClient, Key } from '@burgee/contract'
import { textOf } from './arguments.ts'
import { CommandError, type Given, type ServerConsole } from './command.ts'
import { reasonOf } from './serverTrouble.ts'

/** A server that was asked for. */
type Server = Pick<ServerConsole, 'client' | 'project'>

/**
 * Lets a command ask the server that its flags or the environment name. Answers what the command does.
 * @throws {CommandError} when that is not enough, the server cannot be reached, or refuses.
 */
export async function askServer(
  given: Given,
  environment: Readonly<Record<string, string | undefined>>,
  ask: (server: Server) => Promise<number>
): Promise<number> {
  const read = (flag: ServerFlag) => textOf(given, flag) || environment[toVariable(flag)] || undefined
  const url = plainAddress(read('url') ?? DEFAULT_URL)
  const project = projectIn(read('project'))
  const credentials = credentialsIn(read)
  const client = createClient({ baseUrl: url, credentials, fetch: patient })
  try {
    return await ask({ client, project })
  } catch (cause) {
    const reason = reasonOf(cause, {
      project,
      patienceMs: PATIENCE_MS,
      by: 'token' in credentials ? 'the token' : `client "${credentials.clientId}"`
    })
    if (reason === undefined) throw cause
    throw new CommandError(`${url} ${reason}`, { cause })
  }
}

/** The flags of a command that asks a server, as `parseArgs` takes them. */
export const serverFlags = {
  url: { type: 'string' },
  project: { type: 'string' },
  'client-id': { type: 'string' },
  'client-secret': { type: 'string' },
  token: { type: 'string' }
} as const

type ServerFlag = keyof typeof serverFlags

const DEFAULT_URL = 'http://127.0.0.1:8080'

/** What the help says about them. */
export const serverHelp: readonly string[] = [
  help('url', `Address of the server. Default: ${DEFAULT_URL}`),
  help('project', 'Key or id of the project.'),
  help('client-id', 'Id of an API client that may read what is asked for.'),
  help('client-secret', 'Its secret. Other users of this computer can see flags: prefer the environment variable.'),
  help('token', 'An access token, instead of a client.')
]

function help(flag: ServerFlag, text: string): string {
  return `  --${flag} <text>\n      ${toVariable(flag)}. ${text}`
}

function toVariable(flag: ServerFlag): string {
  return `BURGEE_${flag.replaceAll('-', '_').toUpperCase()}`
}

function credentialsIn(
  read: (flag: ServerFlag) => string | undefined
): { readonly token: string } | { readonly clientId: string; readonly clientSecret: string } {
  const token = read('token')
  if (token !== undefined) return { token }
  const [clientId, clientSecret] = [read('client-id'), read('client-secret')]
  if (clientId !== undefined && clientSecret !== undefined) return { clientId, clientSecret }
  throw new CommandError(
    'give --client-id and --client-secret, or BURGEE_CLIENT_ID and BURGEE_CLIENT_SECRET; or a token as --token or BURGEE_TOKEN'
  )
}

function projectIn(text: string | undefined): string {
  if (text === undefined) throw new CommandError('give --project, or BURGEE_PROJECT: the key of the project')
  if (Key.safeParse(text).success) return text
  throw new CommandError(`--project should be the key or id of a project, got ${JSON.stringify(text)}`)
}

function plainAddress(text: string): string {
  const { protocol = '', username, password, search, hash } = URL.canParse(text) ? new URL(text) : {}
  if (/^https?:$/.test(protocol) && !username && !password && !search && !hash) return text.replace(/\/$/, '')
  throw new CommandError(`--url should be an address as in ${DEFAULT_URL}, got ${JSON.stringify(text)}`)
}

/** How long a server may take for one answer. */
const PATIENCE_MS = 30_000

const patient: typeof fetch = (input, init) => fetch(input, { ...init, signal: AbortSignal.timeout(PATIENCE_MS) })
