import { readFile } from 'node:fs/promises'
import { createTokenSource, type TokenSource } from '@burgee/contract/client'
import { UsageError } from '@burgee/kit/settings'
import { isSecureAddress, limitedFetch, type SignedIn, SignInError, storedTokens } from '@burgee/sign-in'
import type { AccountOptions } from '../settings/settings.ts'
import { clientTokens } from './clientTokens.ts'
import { type SignIns, signInProgram } from './credentials.ts'

/** The account whose permissions the tools use. */
export interface Account {
  /** The id of the user or the client. */
  readonly id: string
  readonly tokens: TokenSource
  /** The key of the default project; empty for none. */
  readonly project: string
  /** The stored sign-in; absent for an API client. */
  readonly signedIn?: SignedIn
}

/** An API client. */
export interface ClientCredentials {
  readonly clientId: string
  readonly clientSecret: string
}

/**
 * Opens the account of the API client in the settings, or of the stored sign-in.
 * @throws {SignInError} without either; {UsageError} when the connection would not be encrypted.
 */
export async function openAccount(options: AccountOptions, file: SignIns, now: () => number): Promise<Account> {
  const { apiUrl, project } = options
  assertSecureTransport(options)
  const credentials = await readClientCredentials(options)
  if (credentials) {
    return {
      id: credentials.clientId,
      tokens: clientTokens(createTokenSource({ baseUrl: apiUrl, credentials, fetch: limitedFetch }), apiUrl),
      project
    }
  }
  const signedIn = await file.read(apiUrl)
  if (!signedIn) {
    throw new SignInError(
      `there are no credentials for ${apiUrl}: set SERVICE_CLIENT_ID and SERVICE_CLIENT_SECRET, or sign in with burgee-mcp login`
    )
  }
  const tokens = storedTokens({ file, apiUrl, now, program: signInProgram })
  return { id: signedIn.who.id, tokens, project: project || (signedIn.project ?? ''), signedIn }
}

/** Asserts that the server is on this computer or uses https, unless the settings allow plain http. @throws {UsageError} */
export function assertSecureTransport({ apiUrl, allowHttp }: Pick<AccountOptions, 'apiUrl' | 'allowHttp'>): void {
  if (allowHttp || isSecureAddress(apiUrl)) return
  throw new UsageError(
    `${apiUrl} would receive secrets unencrypted: use an https address, or --allow-http on a trusted network`
  )
}

/** Returns the API client of the settings; `undefined` without a secret. @throws {UsageError} for contradictory settings. */
export async function readClientCredentials(
  options: Pick<AccountOptions, 'clientId' | 'clientSecret' | 'clientSecretFile'>
): Promise<ClientCredentials | undefined> {
  const { clientId, clientSecret: secret, clientSecretFile: path } = options
  if (secret !== '' && path !== '') {
    throw new UsageError('set either SERVICE_CLIENT_SECRET or SERVICE_CLIENT_SECRET_FILE, not both')
  }
  const clientSecret = path === '' ? secret : await readSecretFile(path)
  if (clientSecret === '') return undefined
  if (clientId === '') throw new UsageError('SERVICE_CLIENT_ID is missing: a client secret needs it')
  return { clientId, clientSecret }
}

async function readSecretFile(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((cause: Error) => {
    throw new UsageError(`SERVICE_CLIENT_SECRET_FILE cannot be read: ${cause.message}`, { cause })
  })
  const secret = text.trim()
  if (secret === '') throw new UsageError(`SERVICE_CLIENT_SECRET_FILE is empty: ${path} must contain the secret`)
  return secret
}
