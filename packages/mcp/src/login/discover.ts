import { ApiError } from '@burgee/contract/client'
import {
  allowInsecureRequests,
  type ClientAuth,
  ClientError,
  type Configuration,
  customFetch,
  discovery,
  ResponseBodyError
} from 'openid-client'
import { boundedFetch } from './boundedFetch.ts'
import { SignInError } from './signInError.ts'

/** How long an authorization server may take for each answer, in seconds. */
const TIMEOUT = 10

/**
 * How the authorization server of this address is spoken to, as a client. It is the Burgee server itself.
 * @throws {SignInError} when what answers there calls itself something else.
 */
export async function discover(apiUrl: string, clientId: string, authentication: ClientAuth): Promise<Configuration> {
  const server = new URL(`${apiUrl}/`)
  const execute = server.protocol === 'http:' ? [allowInsecureRequests] : []
  return discovery(server, clientId, undefined, authentication, {
    timeout: TIMEOUT,
    execute,
    // Its options are those of `fetch`, but that they may be said to be undefined.
    [customFetch]: (url, options) => boundedFetch(url, options as RequestInit)
  }).catch((cause) => {
    const name = issuerNamedIn(cause)
    if (name === undefined) throw toldBy(cause, apiUrl)
    throw new SignInError(
      `the server at ${apiUrl} calls itself ${JSON.stringify(name)}: give that as --api-url, or have its public URL set to what you gave`,
      { cause }
    )
  })
}

/** What an authorization server refused, as the API's refusals are told; an answer that is not to be believed, and other failures, say what they are. */
export function toldBy(error: unknown, apiUrl: string): unknown {
  if (error instanceof ResponseBodyError) {
    const body = { error: error.error, error_description: error.error_description }
    return new ApiError('token', error.status, body, error.response.headers)
  }
  if (!(error instanceof ClientError)) return error
  const { code, cause, message } = error
  if (code === 'OAUTH_TIMEOUT') {
    return new DOMException(`${apiUrl} did not answer within ${TIMEOUT} seconds`, 'TimeoutError')
  }
  if (cause instanceof Response) {
    return new ApiError('token', cause.status, `${apiUrl} does not answer as a Burgee server does`, cause.headers)
  }
  const detail = cause instanceof Error ? cause.message : message
  return new SignInError(`what ${apiUrl} answered cannot be believed: ${detail}`, { cause: error })
}

/** What the server calls itself, when it is that by which discovery failed. */
function issuerNamedIn(error: unknown): string | undefined {
  if (!(error instanceof ClientError) || error.code !== 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED') return undefined
  const { body } = Object(error.cause)
  const { issuer } = Object(body)
  return typeof issuer === 'string' ? issuer.slice(0, 200) : undefined
}
