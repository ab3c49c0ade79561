import { join } from 'node:path'
import { createTokenSource, type TokenSource } from '@burgee/contract/client'
import { UsageError } from '@burgee/kit/settings'
import {
  type CredentialFile,
  InvalidResponseError,
  isSecureAddress,
  isSignedIn,
  limitedFetch,
  openCredentialFile,
  SignedIn,
  SignInError,
  type SignInProgram,
  storedTokens
} from '@burgee/sign-in'
import { z } from 'zod'
import { type CredentialOptions, isHeaderText, isWorkload } from './credentialSettings.ts'
import { workloadTokens } from './workloadIdentity.ts'

/** This program, as messages about sign-ins name it. */
export const signInProgram: SignInProgram = {
  name: 'burgee',
  serverFlag: '--server',
  clientIdMember: 'burgee_cli_client_id'
}

/** The credentials of an API client, as they are stored. */
const ClientLogin = z.object({ clientId: z.string(), clientSecret: z.string() })

/** The credentials for a server, as they are stored: the sign-in of a person, or an API client. */
export const Credentials = z.union([SignedIn, ClientLogin])
export type Credentials = z.infer<typeof Credentials>

/** Opens the file of stored credentials in a folder. */
export function openCredentials(folder: string): CredentialFile<Credentials> {
  const path = join(folder, 'credentials.json')
  return openCredentialFile({ path, entry: Credentials, platform: process.platform, program: signInProgram })
}

/** The account that commands act as. */
export interface Account {
  readonly tokens: TokenSource
  /** Where the credentials are from, as `whoami` shows it. */
  readonly source: string
  /** The id of the API client. */
  readonly clientId?: string
  /** The person who signed in. */
  readonly who?: SignedIn['who']
}

interface AccountContext {
  readonly file: CredentialFile<Credentials>
  readonly now: () => number
  /** Sends the requests for tokens. */
  readonly send: typeof fetch
}

/**
 * Opens the account for a server: the token or the API client of the environment, else the stored credentials.
 * @throws {SignInError} without any; {UsageError} if credentials would be sent unencrypted.
 */
export async function openAccount(
  server: string,
  options: CredentialOptions,
  { file, now, send }: AccountContext
): Promise<Account> {
  const { token, clientId, clientSecret, allowHttp } = options
  assertSecure(server, allowHttp)
  if (token !== '') {
    return { tokens: { getToken: async () => token, invalidate: () => false }, source: 'environment (BURGEE_TOKEN)' }
  }
  if (clientSecret !== '') {
    if (clientId === '') throw new UsageError('BURGEE_CLIENT_ID is missing: BURGEE_CLIENT_SECRET needs it')
    return clientAccount(server, { clientId, clientSecret }, 'environment (BURGEE_CLIENT_ID)', send)
  }
  if (clientId !== '') throw new UsageError('BURGEE_CLIENT_SECRET is missing: BURGEE_CLIENT_ID needs it')
  if (isWorkload(options)) {
    const tokens = checkedTokens(workloadTokens(options, { server, now, send }), server)
    return { tokens, source: 'identity of the CI job' }
  }
  const stored = await file.read(server)
  if (!stored) throw notSignedIn(server)
  if (!isSignedIn(stored)) return clientAccount(server, stored, file.path, send)
  const people: Parameters<typeof storedTokens>[0]['file'] = {
    read: async (url) => asPerson(await file.read(url)),
    // A person's sign-in is only replaced by a newer one of the same person.
    change: (url, next) => file.change(url, async (held) => next(asPerson(held)))
  }
  const tokens = storedTokens({ file: people, apiUrl: server, now, program: signInProgram, send })
  return { tokens: checkedTokens(tokens, server), source: file.path, who: stored.who }
}

function asPerson(credentials: Credentials | undefined): SignedIn | undefined {
  return credentials && isSignedIn(credentials) ? credentials : undefined
}

function clientAccount(
  server: string,
  credentials: z.infer<typeof ClientLogin>,
  source: string,
  send: typeof fetch
): Account {
  return { tokens: clientTokens(server, credentials, send), source, clientId: credentials.clientId }
}

/** Returns the access tokens of an API client. */
export function clientTokens(
  server: string,
  credentials: z.infer<typeof ClientLogin>,
  send: typeof fetch = limitedFetch
): TokenSource {
  return checkedTokens(createTokenSource({ baseUrl: server, credentials, fetch: send }), server)
}

/** Refuses responses without a token, and tokens that no header can contain: errors of `fetch` would show them. */
function checkedTokens(tokens: TokenSource, server: string): TokenSource {
  const getToken: TokenSource['getToken'] = async (operation) => {
    const token = await tokens.getToken(operation).catch((cause) => {
      throw cause instanceof SyntaxError ? new InvalidResponseError(cause.message, { cause }) : cause
    })
    if (isHeaderText(token)) return token
    throw new InvalidResponseError(`${server}/oauth/token returned an access token with invalid characters`)
  }
  return { ...tokens, getToken }
}

/** Asserts that the server is on this computer or uses https, unless plain http is allowed. @throws {UsageError} */
export function assertSecure(server: string, allowHttp: boolean): void {
  if (allowHttp || isSecureAddress(server)) return
  throw new UsageError(
    `${server} would receive credentials unencrypted: use an https address, or set BURGEE_ALLOW_HTTP=true on a trusted network`
  )
}

function notSignedIn(server: string): SignInError {
  return new SignInError(
    `not signed in to ${server}: run burgee login --server ${server}, or set BURGEE_CLIENT_ID and BURGEE_CLIENT_SECRET`
  )
}
