import { join } from 'node:path'
import { createTokenSource, type TokenSource } from '@burgee/contract/client'
import { UsageError } from '@burgee/kit/settings'
import {
  type CredentialFile,
  isSecureAddress,
  limitedFetch,
  openCredentialFile,
  SignedIn,
  SignInError,
  type SignInProgram,
  storedTokens
} from '@burgee/sign-in'
import { z } from 'zod'
import type { CredentialOptions } from '../run/settings.ts'
import { isWorkload, workloadTokens } from './workloadIdentity.ts'

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

/** Whether the stored credentials are those of a person. */
export function isSignedIn(credentials: Credentials): credentials is SignedIn {
  return 'refreshToken' in credentials
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

/**
 * Opens the account for a server: the token or the API client of the environment, else the stored credentials.
 * @throws {SignInError} without any; {UsageError} if credentials would be sent unencrypted.
 */
export async function openAccount(
  server: string,
  options: CredentialOptions,
  { file, now }: { readonly file: CredentialFile<Credentials>; readonly now: () => number }
): Promise<Account> {
  const { token, clientId, clientSecret, allowHttp } = options
  assertSecure(server, allowHttp)
  if (token !== '') {
    return { tokens: { getToken: async () => token, invalidate: () => false }, source: 'environment (BURGEE_TOKEN)' }
  }
  if (clientSecret !== '') {
    if (clientId === '') throw new UsageError('BURGEE_CLIENT_ID is missing: BURGEE_CLIENT_SECRET needs it')
    return clientAccount(server, { clientId, clientSecret }, 'environment (BURGEE_CLIENT_ID)')
  }
  if (isWorkload(options)) return { tokens: workloadTokens(options, { server, now }), source: 'identity of the CI job' }
  const stored = await file.read(server)
  if (!stored) throw notSignedIn(server)
  if (!isSignedIn(stored)) return clientAccount(server, stored, file.path)
  const people: Parameters<typeof storedTokens>[0]['file'] = {
    read: async (url) => asPerson(await file.read(url)),
    // A person's sign-in is only replaced by a newer one of the same person.
    change: (url, next) => file.change(url, async (held) => next(asPerson(held)))
  }
  const tokens = storedTokens({ file: people, apiUrl: server, now, program: signInProgram })
  return { tokens, source: file.path, who: stored.who }
}

function asPerson(credentials: Credentials | undefined): SignedIn | undefined {
  return credentials && isSignedIn(credentials) ? credentials : undefined
}

function clientAccount(server: string, credentials: z.infer<typeof ClientLogin>, source: string): Account {
  const tokens = createTokenSource({ baseUrl: server, credentials, fetch: limitedFetch })
  return { tokens, source, clientId: credentials.clientId }
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
