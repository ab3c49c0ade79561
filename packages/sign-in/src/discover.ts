import { ApiError } from '@burgee/contract/client'
import {
  allowInsecureRequests,
  type ClientAuth,
  ClientError,
  type Configuration,
  customFetch,
  type DiscoveryRequestOptions,
  discovery,
  None,
  ResponseBodyError,
  tokenRevocation
} from 'openid-client'
import type { SignedIn } from './credentials/signedIn.ts'
import { boundedFetch } from './limitedFetch.ts'
import type { SignInProgram } from './program.ts'
import { InvalidResponseError, SignInError } from './signInError.ts'

/** The timeout of a request to the authorization server, in seconds. */
const TIMEOUT = 10

/**
 * Loads the metadata of the authorization server, which is the Burgee server itself.
 * @param send Limits the size of responses.
 * @throws {SignInError} when the metadata names another issuer.
 */
export async function discover(
  apiUrl: string,
  clientId: string,
  authentication: ClientAuth,
  { serverFlag, send: own = boundedFetch }: SignInProgram,
  send: typeof fetch = own
): Promise<Configuration> {
  const server = new URL(`${apiUrl}/`)
  return discovery(server, clientId, undefined, authentication, requestOptions(server, send)).catch((cause) => {
    const name = mismatchedIssuer(cause)
    if (name === undefined) throw translateOAuthError(cause, apiUrl)
    throw new SignInError(
      `the server at ${apiUrl} has the issuer ${JSON.stringify(name)}: use that as ${serverFlag}, or set the public URL of the server to this address`,
      { cause }
    )
  })
}

/** Returns how requests to a server are sent. */
export function requestOptions({ protocol }: URL, send: typeof fetch = boundedFetch): DiscoveryRequestOptions {
  return {
    timeout: TIMEOUT,
    execute: protocol === 'http:' ? [allowInsecureRequests] : [],
    // These are options of `fetch`, except that members may be explicitly `undefined`.
    [customFetch]: (url, options) => send(url, options as RequestInit)
  }
}

/** Converts errors of the OAuth client: error responses become `ApiError`s, and invalid responses `SignInError`s. */
export function translateOAuthError(error: unknown, apiUrl: string): unknown {
  if (error instanceof ResponseBodyError) {
    const body = { error: error.error, error_description: error.error_description }
    return new ApiError('token', error.status, body, error.response.headers)
  }
  if (!(error instanceof ClientError)) return error
  const tooLarge = findInvalidResponse(error)
  if (tooLarge) return tooLarge
  const { code, cause, message } = error
  if (code === 'OAUTH_TIMEOUT') {
    return new DOMException(`${apiUrl} did not respond within ${TIMEOUT} seconds`, 'TimeoutError')
  }
  if (cause instanceof Response) {
    const location = cause.headers.get('location')
    const body =
      location === null
        ? `${apiUrl} does not respond like a Burgee server`
        : `a redirect to ${location}, which is not followed: use its address as that of the server`
    return new ApiError('token', cause.status, body, cause.headers)
  }
  const detail = cause instanceof Error ? cause.message : message
  return new InvalidResponseError(`the response of ${apiUrl} is invalid: ${detail}`, { cause: error })
}

/** Returns the error of `limitBody` among the causes of an error. */
function findInvalidResponse(error: unknown): InvalidResponseError | undefined {
  if (error instanceof InvalidResponseError) return error
  return error instanceof Error && error.cause !== undefined ? findInvalidResponse(error.cause) : undefined
}

/** Revokes the refresh token (RFC 7009), and with it the sign-in. */
export async function revokeSignIn(
  apiUrl: string,
  { clientId, refreshToken }: Pick<SignedIn, 'clientId' | 'refreshToken'>,
  program: SignInProgram
): Promise<void> {
  try {
    const server = await discover(apiUrl, clientId, None(), program)
    await tokenRevocation(server, refreshToken, { token_type_hint: 'refresh_token' })
  } catch (error) {
    throw translateOAuthError(error, apiUrl)
  }
}

/** Returns the issuer in the metadata if discovery failed because of a mismatch. */
function mismatchedIssuer(error: unknown): string | undefined {
  if (!(error instanceof ClientError) || error.code !== 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED') return undefined
  const { body } = Object(error.cause)
  const { issuer } = Object(body)
  return typeof issuer === 'string' ? issuer.slice(0, 200) : undefined
}
