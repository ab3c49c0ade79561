import type { TokenSource } from '@burgee/contract/client'
import {
  bearerAuthChallengeResponse,
  type AuthInfo as McpAuthInfo,
  OAuthError,
  OAuthErrorCode
} from '@modelcontextprotocol/server'
import type { Caller, ToolLog } from '../connection/context.ts'
import { errorResponse, temporaryErrorResponse } from './errorResponse.ts'

/** The holder of a valid access token. */
export interface AuthInfo {
  /** The subject of the token (`sub`). */
  readonly id: string
  readonly clientId: string
  /** The scopes of the token; all scopes for a token without limits. */
  readonly scopes: readonly string[]
  /** Epoch seconds. */
  readonly expiresAt: number
  /** Tokens for the API. They are never the access token itself, whose audience is the tool server. */
  readonly tokens: TokenSource
}

interface AuthenticateOptions {
  readonly verify: (token: string) => Promise<AuthInfo>
  /** The address of the protected resource metadata. */
  readonly metadataUrl: string
  /** The scope that the challenge asks for. */
  readonly scope: string
  readonly now: () => number
  readonly log: ToolLog
}

/** Authenticates a request. Returns a challenge (RFC 6750) if it has no valid token. */
export async function authenticate(
  authorization: string | undefined,
  { verify, metadataUrl, scope, now, log }: AuthenticateOptions
): Promise<McpAuthInfo | Response> {
  const challenge = (reason: string) => {
    const error = new OAuthError(OAuthErrorCode.InvalidToken, reason)
    return bearerAuthChallengeResponse(error, { resourceMetadataUrl: metadataUrl })
  }
  if (!authorization) {
    // A request without credentials gets no error code (RFC 6750 §3.1).
    const header = `Bearer resource_metadata="${metadataUrl}", scope="${scope}"`
    return errorResponse(401, 'an access token is required', { headers: { 'www-authenticate': header } })
  }
  const [, token] = /^bearer +([\w.~+/-]+=*)$/i.exec(authorization) ?? []
  if (token === undefined) return challenge('the Authorization header must be a bearer token')
  try {
    const auth = await verify(token)
    if (auth.expiresAt * 1000 <= now()) return challenge('the token has expired')
    const { clientId, scopes, expiresAt } = auth
    return { token, clientId, scopes: [...scopes], expiresAt, resourceMetadataUrl: metadataUrl, extra: { auth } }
  } catch (error) {
    if (isUnauthorized(error)) return challenge(error.message)
    if (isForbidden(error)) return errorResponse(403, error.message)
    log.error({ err: error }, 'a token could not be verified')
    return temporaryErrorResponse(503, 'tokens cannot be verified at the moment; try again later', now())
  }
}

/** Whether a valid token is refused, for example because of the address of the request. */
function isForbidden(error: unknown): error is Error {
  return error instanceof Error && 'status' in error && error.status === 403
}

function isUnauthorized(error: unknown): error is Error {
  return error instanceof OAuthError || (error instanceof Error && 'status' in error && error.status === 401)
}

/** Returns the caller of an authenticated request. Sessions and confirmations are bound to the person and their client. */
export function callerOf(info: McpAuthInfo | undefined): Pick<Caller, 'id' | 'tokens'> {
  // Only `authenticate` sets it.
  const auth = info?.extra?.auth as AuthInfo | undefined
  if (!auth) throw new Error('a request reached the tools without authentication')
  return { id: `${auth.id} by ${auth.clientId}`, tokens: auth.tokens }
}
