import { createHash } from 'node:crypto'
import { apiScopes, permissionsInScope } from '@burgee/contract'
import type { TokenSource } from '@burgee/contract/client'
import { discover, translateOAuthError } from '@burgee/sign-in'
import { OAuthError, OAuthErrorCode } from '@modelcontextprotocol/server'
import { createRemoteJWKSet, errors, jwtVerify } from 'jose'
import { ClientSecretPost, type Configuration, genericGrantRequest } from 'openid-client'
import { z } from 'zod'
import type { ClientCredentials } from '../login/account.ts'
import { signInProgram } from '../login/credentials.ts'
import type { AuthInfo } from './authenticate.ts'
import { createTokenExchange, type ExchangedToken } from './tokenExchange.ts'

interface Dependencies {
  /** The address of the Burgee server, without a trailing slash. */
  readonly apiUrl: string
  /** The client that exchanges tokens. */
  readonly credentials: ClientCredentials
  /** The required audience of tokens: the address of the endpoint. */
  readonly resource: () => string
  readonly now: () => number
}

/** Verifies access tokens that a remote Burgee server has issued. */
export interface TokenVerifier {
  /** Loads the metadata and keys of the Burgee server unless they are fresh. Rejects if it is unreachable or misconfigured. */
  readonly prepare: () => Promise<void>
  /** @throws {OAuthError} when the token is invalid. */
  readonly verify: (token: string) => Promise<AuthInfo>
}

/** Creates a verifier of access tokens (RFC 9068) that exchanges them for tokens for the API (RFC 8693). */
export function createTokenVerifier({ apiUrl, credentials, resource, now }: Dependencies): TokenVerifier {
  const authorizationServer = lazyAuthorizationServer(apiUrl, credentials)
  const tokensFor = createTokenCache((token) => {
    return createTokenExchange(async () => exchange(await authorizationServer(), token, { apiUrl, now }), now)
  })
  return {
    prepare: async () => {
      const { findKey } = await authorizationServer()
      if (!findKey.fresh) await findKey.reload()
    },
    verify: async (token) => {
      const claims = await verifyClaims(token, await authorizationServer(), { resource, now })
      return {
        id: claims.sub,
        clientId: claims.azp,
        scopes: [...(permissionsInScope(claims.scope) ?? apiScopes)],
        expiresAt: claims.exp,
        tokens: tokensFor(token)
      }
    }
  }
}

interface AuthorizationServer {
  readonly configuration: Configuration
  readonly findKey: ReturnType<typeof createRemoteJWKSet>
}

/** Discovers the server on first use, and again after a failure: it may start later than the tool server. */
function lazyAuthorizationServer(
  apiUrl: string,
  { clientId, clientSecret }: ClientCredentials
): () => Promise<AuthorizationServer> {
  let cached: Promise<AuthorizationServer> | undefined
  return () => {
    cached ??= discover(apiUrl, clientId, ClientSecretPost(clientSecret), signInProgram).then(toAuthorizationServer)
    cached.catch(() => {
      cached = undefined
    })
    return cached
  }
}

function toAuthorizationServer(configuration: Configuration): AuthorizationServer {
  const { jwks_uri: keys } = configuration.serverMetadata()
  if (keys === undefined) throw new Error('the metadata of the Burgee server has no jwks_uri')
  return { configuration, findKey: createRemoteJWKSet(new URL(keys)) }
}

/** The maximum number of cached tokens. */
const MAX_TOKENS = 1_000

/** Caches tokens for the API by access token; evicts the least recently used. */
function createTokenCache(create: (token: string) => TokenSource): (token: string) => TokenSource {
  const cache = new Map<string, TokenSource>()
  return (token) => {
    const digest = createHash('sha256').update(token).digest('base64url')
    const tokens = cache.get(digest) ?? create(token)
    cache.delete(digest)
    cache.set(digest, tokens)
    const [oldest = digest] = cache.keys()
    if (cache.size > MAX_TOKENS) cache.delete(oldest)
    return tokens
  }
}

const Claims = z.object({ sub: z.string(), azp: z.string(), exp: z.number(), scope: z.string().optional() })

async function verifyClaims(
  token: string,
  { configuration, findKey }: AuthorizationServer,
  { resource, now }: Pick<Dependencies, 'resource' | 'now'>
): Promise<z.infer<typeof Claims>> {
  const { payload } = await jwtVerify(token, findKey, {
    algorithms: ['RS256'],
    typ: 'at+jwt',
    issuer: configuration.serverMetadata().issuer,
    audience: resource(),
    requiredClaims: ['exp'],
    currentDate: new Date(now())
  }).catch((error) => {
    if (!isInvalidToken(error)) throw error
    throw invalidTokenError(describeInvalidToken(error, token), error)
  })
  const { success, data } = Claims.safeParse(payload)
  if (!success) throw invalidTokenError('a required claim is missing')
  return data
}

const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token'

async function exchange(
  { configuration }: AuthorizationServer,
  token: string,
  { apiUrl, now }: Pick<Dependencies, 'apiUrl' | 'now'>
): Promise<ExchangedToken> {
  const granted = await genericGrantRequest(configuration, 'urn:ietf:params:oauth:grant-type:token-exchange', {
    subject_token: token,
    subject_token_type: ACCESS_TOKEN,
    requested_token_type: ACCESS_TOKEN,
    resource: configuration.serverMetadata().issuer
  }).catch((error) => {
    throw translateOAuthError(error, apiUrl)
  })
  const { access_token, expires_in = 0 } = granted
  return { token: access_token, expiresAt: Math.floor(now() / 1000) + expires_in }
}

/** Whether an error is caused by the token, and not by the retrieval of keys. */
function isInvalidToken(error: unknown): error is Error {
  const retrievalErrors: readonly string[] = [errors.JOSEError.code, errors.JWKSTimeout.code, errors.JWKSInvalid.code]
  return error instanceof errors.JOSEError && !retrievalErrors.includes(error.code)
}

/** Describes why a token is not valid, without quoting it. */
function describeInvalidToken(error: Error, token: string): string {
  if (token.split('.').length !== 3) return 'it is not a JWT, which has three parts separated by dots'
  if (error instanceof errors.JOSEAlgNotAllowed) return 'its algorithm (alg) should be RS256'
  const isMalformed = error instanceof errors.JWSInvalid || error instanceof errors.JWTInvalid
  return isMalformed ? 'its parts are not those of a JWT' : error.message
}

function invalidTokenError(reason: string, cause?: unknown): OAuthError {
  return Object.assign(new OAuthError(OAuthErrorCode.InvalidToken, `the token is not valid: ${reason}`), { cause })
}
