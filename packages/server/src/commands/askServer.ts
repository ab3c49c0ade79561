import { createClient, Key } from '@burgee/contract'
import { type AskOptions, readAskOptions } from '../options.ts'
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
  const options = readAskOptions(given.flags, environment)
  const url = plainAddress(options.url)
  const project = projectIn(options.project)
  const credentials = credentialsIn(options)
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

function credentialsIn({
  token,
  clientId,
  clientSecret
}: AskOptions): { readonly token: string } | { readonly clientId: string; readonly clientSecret: string } {
  if (token !== '') return { token }
  if (clientId !== '' && clientSecret !== '') return { clientId, clientSecret }
  throw new CommandError(
    'give --client-id and --client-secret, or BURGEE_CLIENT_ID and BURGEE_CLIENT_SECRET; or a token as --token or BURGEE_TOKEN'
  )
}

function projectIn(text: string): string {
  if (text === '') throw new CommandError('give --project, or BURGEE_PROJECT: the key of the project')
  if (Key.safeParse(text).success) return text
  throw new CommandError(`--project should be the key or id of a project, got ${JSON.stringify(text)}`)
}

function plainAddress(text: string): string {
  const { protocol = '', username, password, search, hash } = URL.canParse(text) ? new URL(text) : {}
  if (/^https?:$/.test(protocol) && !username && !password && !search && !hash) return text.replace(/\/$/, '')
  throw new CommandError(`--url should be an address as in http://127.0.0.1:8080, got ${JSON.stringify(text)}`)
}

/** How long a server may take for one answer. */
const PATIENCE_MS = 30_000

const patient: typeof fetch = (input, init) => fetch(input, { ...init, signal: AbortSignal.timeout(PATIENCE_MS) })
