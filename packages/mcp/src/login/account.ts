import { readFile } from 'node:fs/promises'
import { createTokenSource, type TokenSource } from '@burgee/contract/client'
import { type AccountOptions, OptionError } from '../options.ts'
import { clientTokens } from './clientTokens.ts'
import type { CredentialFile, SignedIn } from './credentialFile.ts'
import { isSafe } from './isSafe.ts'
import { patientFetch } from './patientFetch.ts'
import { SignInError } from './signInError.ts'
import { storedTokens } from './storedTokens.ts'

/** Whom this program acts for. */
export interface Account {
  /** What tells them from others. */
  readonly id: string
  readonly tokens: TokenSource
  /** The key of the project for calls that choose none; empty for none. */
  readonly project: string
  /** Who signed in; absent where a client acts for itself. */
  readonly signedIn?: SignedIn
}

/** A client and its secret. */
export interface ClientCredentials {
  readonly clientId: string
  readonly clientSecret: string
}

/**
 * Whom the settings name, or else who is signed in.
 * @throws {SignInError} when there is neither; {OptionError} when others could read what the server is sent.
 */
export async function accountOf(options: AccountOptions, file: CredentialFile, now: () => number): Promise<Account> {
  const { apiUrl, project } = options
  demandSafe(options)
  const credentials = await clientIn(options)
  if (credentials) {
    return {
      id: credentials.clientId,
      tokens: clientTokens(createTokenSource({ baseUrl: apiUrl, credentials, fetch: patientFetch }), apiUrl),
      project
    }
  }
  const signedIn = await file.read(apiUrl)
  if (!signedIn) {
    throw new SignInError(
      `there are no credentials for ${apiUrl}: set SERVICE_CLIENT_ID and SERVICE_CLIENT_SECRET, or sign in with burgee-mcp login`
    )
  }
  const tokens = storedTokens({ file, apiUrl, now })
  return { id: signedIn.who.id, tokens, project: project || (signedIn.project ?? ''), signedIn }
}

/** Demands that nobody on the way can read what a server is sent, unless the settings allow it. @throws {OptionError} */
export function demandSafe({ apiUrl, allowHttp }: Pick<AccountOptions, 'apiUrl' | 'allowHttp'>): void {
  if (allowHttp || isSafe(apiUrl)) return
  throw new OptionError(
    `${apiUrl} would be sent secrets for everybody on the way to read: give an https address, or --allow-http where nobody else is on the way`
  )
}

/** The client that the settings name, with its secret; nothing where they have no secret. @throws {OptionError} when they do not fit together. */
export async function clientIn(
  options: Pick<AccountOptions, 'clientId' | 'clientSecret' | 'clientSecretFile'>
): Promise<ClientCredentials | undefined> {
  const { clientId, clientSecret: given, clientSecretFile: path } = options
  if (given !== '' && path !== '') {
    throw new OptionError('give one of SERVICE_CLIENT_SECRET and SERVICE_CLIENT_SECRET_FILE, not both')
  }
  const clientSecret = path === '' ? given : await secretIn(path)
  if (clientSecret === '') return undefined
  if (clientId === '') throw new OptionError('SERVICE_CLIENT_ID is missing: the secret belongs to a client')
  return { clientId, clientSecret }
}

async function secretIn(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((cause: Error) => {
    throw new OptionError(`SERVICE_CLIENT_SECRET_FILE cannot be read: ${cause.message}`, { cause })
  })
  const secret = text.trim()
  if (secret === '') throw new OptionError(`SERVICE_CLIENT_SECRET_FILE is empty: ${path} should have the secret`)
  return secret
}
