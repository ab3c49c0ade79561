import type { TokenSource } from '@burgee/contract/client'
import { type AuthInfo, bearerAuthChallengeResponse, OAuthError, OAuthErrorCode } from '@modelcontextprotocol/server'
import type { Caller, ToolLog } from '../service.ts'
import { refusal } from './refusal.ts'

/** Who holds a token that is good for this endpoint. */
export interface Bearer {
  /** Who it is, to the authorization server (`sub`). */
  readonly id: string
  /** The client they use. */
  readonly clientId: string
  /** Everything that the token's scope allows; all there is when it limits nothing. */
  readonly scopes: readonly string[]
  /** Epoch seconds. */
  readonly expiresAt: number
  /** What the API is asked with for them: never the token itself, which is not for the API. */
  readonly tokens: TokenSource
}

interface Asked {
  readonly verify: (token: string) => Promise<Bearer>
  /** Where clients learn who gives tokens out. */
  readonly metadataUrl: string
  /** What clients are to ask for who do not know what they need. */
  readonly scope: string
  readonly now: () => number
  readonly log: ToolLog
}

/** Finds out who asks; an answer that sends them for a token, when that is nobody. */
export async function authenticate(
  authorization: string | undefined,
  { verify, metadataUrl, scope, now, log }: Asked
): Promise<AuthInfo | Response> {
  const challenge = (reason: string) => {
    const error = new OAuthError(OAuthErrorCode.InvalidToken, reason)
    return bearerAuthChallengeResponse(error, { resourceMetadataUrl: metadataUrl })
  }
  if (!authorization) {
    // Who brings nothing is told of no error (RFC 6750 §3.1).
    const header = `Bearer resource_metadata="${metadataUrl}", scope="${scope}"`
    return refusal(401, 'a token is needed', { headers: { 'www-authenticate': header } })
  }
  const [, token] = /^bearer +([\w.~+/-]+=*)$/i.exec(authorization) ?? []
  if (token === undefined) return challenge('the Authorization header should be a bearer token')
  try {
    const bearer = await verify(token)
    if (bearer.expiresAt * 1000 <= now()) return challenge('the token has expired')
    const { clientId, scopes, expiresAt } = bearer
    return { token, clientId, scopes: [...scopes], expiresAt, resourceMetadataUrl: metadataUrl, extra: { bearer } }
  } catch (error) {
    if (isRefusal(error)) return challenge(error.message)
    log.error({ err: error }, 'a token could not be verified')
    return refusal(503, 'tokens cannot be verified at the moment; try again later', { headers: { 'retry-after': '1' } })
  }
}

function isRefusal(error: unknown): error is Error {
  return error instanceof OAuthError || (error instanceof Error && 'status' in error && error.status === 401)
}

/** Who asks, as `authenticate` found out. Sessions and confirmations are theirs who are the same somebody and use the same client. */
export function callerOf(auth: AuthInfo | undefined): Pick<Caller, 'id' | 'tokens'> {
  // Nobody else makes these.
  const bearer = auth?.extra?.bearer as Bearer | undefined
  if (!bearer) throw new Error('a request came to the tools that nobody has authenticated')
  return { id: `${bearer.id} by ${bearer.clientId}`, tokens: bearer.tokens }
}
