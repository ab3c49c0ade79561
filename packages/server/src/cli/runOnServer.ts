import { createClient } from '@burgee/contract/client'
import { Key } from '@burgee/contract/schemas'
import { describeServerError } from './describeServerError.ts'
import { CommandError, type ParsedArguments, type ServerCommandContext } from './kit/command.ts'
import { parseRemoteOptions, type RemoteOptions } from './kit/options.ts'

/** A server that was asked for. */
type ServerConnection = Pick<ServerCommandContext, 'client' | 'project'>

/**
 * Lets a command ask the server that its flags or the environment name. Answers what the command does.
 * @throws {CommandError} when that is not enough, the server cannot be reached, or refuses.
 */
export async function runOnServer(
  given: ParsedArguments,
  environment: Readonly<Record<string, string | undefined>>,
  work: (server: ServerConnection) => Promise<number>
): Promise<number> {
  const options = parseRemoteOptions(given.flags, environment)
  const url = parseServerUrl(options.url)
  const project = parseProject(options.project)
  const credentials = parseCredentials(options)
  const client = createClient({ baseUrl: url, credentials, fetch: fetchWithTimeout })
  try {
    return await work({ client, project })
  } catch (cause) {
    const reason = describeServerError(cause, {
      project,
      patienceMs: REQUEST_TIMEOUT_MS,
      by: 'token' in credentials ? 'the token' : `client "${credentials.clientId}"`
    })
    if (reason === undefined) throw cause
    throw new CommandError(`${url} ${reason}`, { cause })
  }
}

function parseCredentials({
  token,
  clientId,
  clientSecret
}: RemoteOptions): { readonly token: string } | { readonly clientId: string; readonly clientSecret: string } {
  if (token !== '') return { token }
  if (clientId !== '' && clientSecret !== '') return { clientId, clientSecret }
  throw new CommandError(
    'give --client-id and --client-secret, or BURGEE_CLIENT_ID and BURGEE_CLIENT_SECRET; or a token as --token or BURGEE_TOKEN'
  )
}

function parseProject(text: string): string {
  if (text === '') throw new CommandError('give --project, or BURGEE_PROJECT: the key of the project')
  if (Key.safeParse(text).success) return text
  throw new CommandError(`--project should be the key or id of a project, got ${JSON.stringify(text)}`)
}

function parseServerUrl(text: string): string {
  const { protocol = '', username, password, search, hash } = URL.canParse(text) ? new URL(text) : {}
  if (/^https?:$/.test(protocol) && !username && !password && !search && !hash) return text.replace(/\/$/, '')
  throw new CommandError(`--url should be an address as in http://127.0.0.1:8080, got ${JSON.stringify(text)}`)
}

/** How long a server may take for one answer. */
const REQUEST_TIMEOUT_MS = 30_000

const fetchWithTimeout: typeof fetch = (input, init) =>
  fetch(input, { ...init, signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) })
