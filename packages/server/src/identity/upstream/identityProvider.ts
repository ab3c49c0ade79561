import { omitUndefined } from '@burgee/kit'
import { createRemoteJWKSet, decodeProtectedHeader, type JWTVerifyGetKey, customFetch as keysFetch } from 'jose'
import type { Configuration, TokenEndpointResponse, TokenEndpointResponseHelpers } from 'openid-client'
import type { GuardedRequest } from '../../lib/outbound/guardedRequest.ts'
import { SECOND } from '../../lib/time.ts'
import type { ProviderTokens } from '../../storage/resources/organization.ts'
import { CLOCK_SKEW_S, type LogoutToken, parseLogoutToken } from './logoutToken.ts'
import { isRefusal, isUnreachable, ProviderUnreachableError } from './providerFailure.ts'
import { createProviderFetch, type ProviderFetch } from './providerFetch.ts'
import { type ClaimNames, type OidcClaims, toUpstreamClaims, type UpstreamClaims } from './upstreamClaims.ts'

/** An upstream OpenID provider, and the registration of this server with it. */
export interface IdentityProviderSettings extends ClaimNames {
  readonly clientId: string
  readonly clientSecret: string
  /** The display name. */
  readonly name: string
  /** OAuth scopes to request, separated by spaces; must include `openid`. */
  readonly scopes: string
}

/** The client of an upstream OpenID provider. */
export interface IdentityProvider {
  readonly issuer: string
  readonly name: string
  /**
   * Starts a login: returns the URL to send the browser to, and the checks for the callback.
   * @throws if the provider cannot be reached.
   */
  readonly startLogin: (
    callback: string,
    freshness?: Freshness
  ) => Promise<{ readonly address: string; readonly checks: LoginChecks }>
  /**
   * Verifies a callback and returns the claims.
   * @throws {LoginDeclinedError} if the provider declined; any other error if the response is not valid.
   */
  readonly completeLogin: (returnedTo: URL, checks: LoginChecks) => Promise<CompletedLogin>
  /** Reads the current claims of a person. Never rejects. */
  readonly refreshClaims: (tokens: ProviderTokens, subject: string) => Promise<ReadResult>
  /**
   * Verifies a logout token (OpenID Connect Back-Channel Logout 1.0 §2.6).
   * @throws {LogoutTokenError} if it is not valid; any other error if the provider cannot be reached.
   */
  readonly verifyLogoutToken: (token: string) => Promise<LogoutToken>
}

/** How recently the person must have signed in at the provider. */
export interface Freshness {
  /** The longest time since, in seconds. The provider must then return `auth_time`. */
  readonly maxAge: number
  /** Whether the person must sign in again in any case. */
  readonly isForced: boolean
}

/** The values that bind a callback to the browser that started the login. */
export interface LoginChecks {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

/** A login at the provider. */
export interface CompletedLogin {
  readonly claims: UpstreamClaims
  /** The `sid` of the session at the provider, if it sent one. */
  readonly sid: string | undefined
  /** When the person signed in there (`auth_time`), in milliseconds, if the provider sends it. */
  readonly authenticatedAt: number | undefined
  readonly tokens: ProviderTokens
}

/** The result of reading the current claims of a person. */
export type ReadResult =
  | { readonly type: 'read'; readonly claims: UpstreamClaims; readonly tokens: ProviderTokens }
  /** The provider ended the session of the person. */
  | { readonly type: 'refused'; readonly cause: unknown }
  | {
      readonly type: 'unavailable'
      readonly cause: unknown
      /** The tokens to store: the provider may have replaced them before a later request failed. */
      readonly tokens: ProviderTokens
    }

/** The provider declined a login. The message is an OAuth error code. */
export class LoginDeclinedError extends Error {
  override readonly name = 'LoginDeclinedError'
}

interface Dependencies {
  readonly request: GuardedRequest
  readonly now: () => number
}

type Tokens = TokenEndpointResponse & TokenEndpointResponseHelpers

/**
 * Creates a client that uses the authorization code flow with PKCE, state and nonce, and verifies ID token signatures.
 */
export function createIdentityProvider(
  settings: IdentityProviderSettings,
  { request, now }: Dependencies
): IdentityProvider {
  const { issuer, name, groupsClaim, scopes, clientId } = settings
  const send = createProviderFetch(request)
  let known: Promise<Configuration> | undefined
  // Discovered on first use and again after a failure: the provider may be down when this server starts.
  const getConfiguration = () => {
    known ??= discover(settings, send).catch((error) => {
      known = undefined
      throw error
    })
    return known
  }
  let keys: JWTVerifyGetKey | undefined
  let failedAt: number | undefined

  /** Runs work, unless the provider was unreachable within the cooldown: then fails without a request. */
  const withCooldown = async <T>(work: () => Promise<T>): Promise<T> => {
    const elapsed = failedAt === undefined ? COOLDOWN_MS : now() - failedAt
    // A clock that was set back ends the cooldown.
    if (elapsed >= 0 && elapsed < COOLDOWN_MS)
      throw new ProviderUnreachableError('the provider did not respond to a recent request')
    try {
      return await work()
    } catch (error) {
      if (isUnreachable(error)) failedAt = now()
      throw error
    }
  }

  const readClaims = async (configuration: Configuration, tokens: Tokens | string, subject: string) => {
    const signed: OidcClaims | undefined = typeof tokens === 'string' ? undefined : tokens.claims()
    if (signed && signed.sub !== subject) throw new Error('the ID token has another subject')
    const accessToken = typeof tokens === 'string' ? tokens : tokens.access_token
    // Many providers return most claims from the userinfo endpoint only.
    const userinfo = await readUserinfo(configuration, accessToken, subject)
    if (!signed && !userinfo) throw new Error('the provider has no userinfo endpoint and sent no ID token')
    // `email_verified` counts only together with the `email` of the same source.
    const { email, email_verified }: Partial<OidcClaims> = (signed?.email === undefined ? userinfo : signed) ?? {}
    const claims = { ...userinfo, ...signed, sub: subject, email, email_verified }
    return {
      claims: toUpstreamClaims(claims, settings),
      hasGroupsInIdTokenOnly: signed?.[groupsClaim] !== undefined && userinfo?.[groupsClaim] === undefined
    }
  }

  const toProviderTokens = (tokens: Tokens, before: ProviderTokens = {}): ProviderTokens => {
    const { access_token: accessToken, refresh_token: refreshToken = before.refreshToken, expires_in } = tokens
    const accessTokenExpiresAt = expires_in === undefined ? undefined : now() + expires_in * SECOND
    const { hasGroupsInIdTokenOnly } = before
    return omitUndefined({ hasGroupsInIdTokenOnly, accessToken, accessTokenExpiresAt, refreshToken })
  }

  return {
    issuer,
    name,
    startLogin: async (callback, freshness) => {
      const { buildAuthorizationUrl, calculatePKCECodeChallenge, ...random } = await import('openid-client')
      const configuration = await getConfiguration()
      const checks = {
        state: random.randomState(),
        nonce: random.randomNonce(),
        verifier: random.randomPKCECodeVerifier()
      }
      const address = buildAuthorizationUrl(configuration, {
        redirect_uri: callback,
        scope: scopes,
        state: checks.state,
        nonce: checks.nonce,
        code_challenge: await calculatePKCECodeChallenge(checks.verifier),
        code_challenge_method: 'S256',
        ...(freshness ? { max_age: String(freshness.maxAge) } : {}),
        ...(freshness?.isForced ? { prompt: 'login' } : {})
      })
      return { address: address.href, checks }
    },
    completeLogin: async (returnedTo, { state, nonce, verifier }) => {
      const { AuthorizationResponseError, authorizationCodeGrant } = await import('openid-client')
      const configuration = await getConfiguration()
      const tokens = await authorizationCodeGrant(configuration, returnedTo, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true
      }).catch((cause) => {
        throw cause instanceof AuthorizationResponseError ? new LoginDeclinedError(cause.error, { cause }) : cause
      })
      const signed: OidcClaims | undefined = tokens.claims()
      if (!signed) throw new Error('the provider returned no ID token')
      assertIdToken(tokens.id_token ?? '', signed, clientId)
      const { claims, hasGroupsInIdTokenOnly } = await readClaims(configuration, tokens, signed.sub)
      const { sid, auth_time: authTime } = signed
      return {
        claims,
        sid: typeof sid === 'string' ? sid : undefined,
        authenticatedAt: typeof authTime === 'number' ? authTime * SECOND : undefined,
        tokens: { ...toProviderTokens(tokens), hasGroupsInIdTokenOnly }
      }
    },
    refreshClaims: async (before, subject) => {
      let tokens = before
      const read = async (): Promise<ReadResult> => {
        const configuration = await getConfiguration()
        const source = await refresh(configuration, before, now())
        const claimed = typeof source === 'string' ? undefined : source.claims()
        if (typeof source !== 'string' && claimed) assertIdToken(source.id_token ?? '', claimed, clientId)
        if (typeof source !== 'string') tokens = toProviderTokens(source, before)
        const hasIdToken = typeof source !== 'string' && source.id_token !== undefined
        if (before.hasGroupsInIdTokenOnly && !hasIdToken) {
          throw new Error('the provider returned the groups neither in an ID token nor from the userinfo endpoint')
        }
        const { claims } = await readClaims(configuration, source, subject)
        return { type: 'read', claims, tokens }
      }
      try {
        return await withCooldown(read)
      } catch (cause) {
        // An access token without a known expiry may have expired.
        const isLive =
          tokens !== before || before.refreshToken !== undefined || before.accessTokenExpiresAt !== undefined
        if (isLive && (await isRefusal(cause))) return { type: 'refused', cause }
        return { type: 'unavailable', cause, tokens }
      }
    },
    verifyLogoutToken: (token) =>
      withCooldown(async () => {
        const { issuer, jwks_uri = '' } = (await getConfiguration()).serverMetadata()
        keys ??= createRemoteJWKSet(new URL(jwks_uri), { [keysFetch]: send, timeoutDuration: TIMEOUT_S * SECOND })
        return parseLogoutToken(token, { keys, issuer, clientId, now: now() })
      })
  }
}

/**
 * Asserts what the library leaves open about an ID token that it has verified (OpenID Connect Core §3.1.3.7): who may use
 * it, when it was issued, and that it is no token of another type, which the provider signs with the same key.
 * @throws if the token is not for this server.
 */
function assertIdToken(token: string, { azp, iat }: OidcClaims, clientId: string): void {
  if (azp !== undefined && azp !== clientId) throw new Error('the ID token was issued to another client (azp)')
  // The library compares `exp` with this clock too.
  const latest = Date.now() + CLOCK_SKEW_S * SECOND
  if (typeof iat === 'number' && iat * SECOND > latest) throw new Error('the ID token was issued in the future (iat)')
  const { typ = 'JWT' } = decodeProtectedHeader(token)
  if (OTHER_TYPES.test(typ)) throw new Error(`the ID token has the type ${typ} (typ)`)
}

const OTHER_TYPES = /^(application\/)?(at|logout)\+jwt$/i

/** The timeout of requests to the provider, in seconds. */
export const TIMEOUT_S = 5

/** How long no requests are sent to an unreachable provider, in milliseconds. */
const COOLDOWN_MS = 10 * SECOND

async function discover(
  { issuer, clientId, clientSecret }: IdentityProviderSettings,
  send: ProviderFetch
): Promise<Configuration> {
  const { allowInsecureRequests, customFetch, discovery, enableNonRepudiationChecks } = await import('openid-client')
  const server = new URL(issuer)
  return discovery(server, clientId, clientSecret, undefined, {
    timeout: TIMEOUT_S,
    [customFetch]: send,
    // The settings accept http for loopback addresses only.
    execute: [enableNonRepudiationChecks, ...(server.protocol === 'http:' ? [allowInsecureRequests] : [])]
  })
}

/** Gets new tokens by the refresh token of the provider; else returns the access token while it is valid. */
async function refresh(
  configuration: Configuration,
  { refreshToken, accessToken, accessTokenExpiresAt = Number.POSITIVE_INFINITY }: ProviderTokens,
  now: number
): Promise<Tokens | string> {
  const { refreshTokenGrant } = await import('openid-client')
  if (refreshToken !== undefined) return refreshTokenGrant(configuration, refreshToken)
  if (accessToken !== undefined && now < accessTokenExpiresAt) return accessToken
  throw new Error('the provider issued no refresh token, and its access token has expired')
}

async function readUserinfo(
  configuration: Configuration,
  accessToken: string,
  subject: string
): Promise<OidcClaims | undefined> {
  if (configuration.serverMetadata().userinfo_endpoint === undefined) return undefined
  const { fetchUserInfo } = await import('openid-client')
  return fetchUserInfo(configuration, accessToken, subject)
}
