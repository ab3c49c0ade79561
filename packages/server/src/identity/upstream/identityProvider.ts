import { createRemoteJWKSet, type JWTVerifyGetKey, customFetch as keysFetch } from 'jose'
import type { Configuration } from 'openid-client'
import type { GuardedRequest } from '../../lib/outbound/guardedRequest.ts'
import { SECOND } from '../../lib/time.ts'
import type { ProviderTokens } from '../../storage/resources/organization.ts'
import { type LogoutToken, parseLogoutToken } from './logoutToken.ts'
import { createCooldown, isRefusal } from './providerFailure.ts'
import { createProviderFetch, type ProviderFetch } from './providerFetch.ts'
import {
  buildLogin,
  type CompletedLogin,
  completeLogin,
  type Freshness,
  type LoginChecks,
  type StartedLogin
} from './providerLogin.ts'
import { assertIdToken, readClaims, refresh, toProviderTokens } from './providerTokens.ts'
import type { ClaimNames, UpstreamClaims } from './upstreamClaims.ts'

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
  readonly startLogin: (callback: string, freshness?: Freshness) => Promise<StartedLogin>
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

interface Dependencies {
  readonly request: GuardedRequest
  /** The timeout of requests to the provider. */
  readonly timeoutMs: number
  readonly now: () => number
}

/**
 * Creates a client that uses the authorization code flow with PKCE, state and nonce, and verifies ID token signatures.
 */
export function createIdentityProvider(
  settings: IdentityProviderSettings,
  { request, timeoutMs, now }: Dependencies
): IdentityProvider {
  const { issuer, name, scopes, clientId } = settings
  const send = createProviderFetch(request)
  let known: Promise<Configuration> | undefined
  // Discovered on first use and again after a failure: the provider may be down when this server starts.
  const getConfiguration = () => {
    known ??= discover(settings, { send, timeoutMs }).catch((error) => {
      known = undefined
      throw error
    })
    return known
  }
  let keys: JWTVerifyGetKey | undefined
  const withCooldown = createCooldown(now)

  return {
    issuer,
    name,
    startLogin: async (callback, freshness) => buildLogin(await getConfiguration(), { callback, scopes, freshness }),
    completeLogin: async (returnedTo, checks) =>
      completeLogin(await getConfiguration(), { returnedTo, checks }, { ...settings, now }),
    refreshClaims: async (before, subject) => {
      let tokens = before
      const read = async (): Promise<ReadResult> => {
        const configuration = await getConfiguration()
        const source = await refresh(configuration, before, now())
        const refreshed = typeof source === 'string' ? undefined : source
        const claimed = refreshed?.claims()
        if (claimed) assertIdToken(refreshed?.id_token ?? '', claimed, clientId)
        if (refreshed) tokens = toProviderTokens(refreshed, now(), before)
        if (before.hasGroupsInIdTokenOnly && refreshed?.id_token === undefined) {
          throw new Error('the provider returned the groups neither in an ID token nor from the userinfo endpoint')
        }
        const { claims } = await readClaims(configuration, source, subject, settings)
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
        keys ??= createRemoteJWKSet(new URL(jwks_uri), { [keysFetch]: send, timeoutDuration: timeoutMs })
        return parseLogoutToken(token, { keys, issuer, clientId, now: now() })
      })
  }
}

async function discover(
  { issuer, clientId, clientSecret }: IdentityProviderSettings,
  { send, timeoutMs }: { readonly send: ProviderFetch; readonly timeoutMs: number }
): Promise<Configuration> {
  const { allowInsecureRequests, customFetch, discovery, enableNonRepudiationChecks } = await import('openid-client')
  const server = new URL(issuer)
  return discovery(server, clientId, clientSecret, undefined, {
    timeout: timeoutMs / SECOND,
    [customFetch]: send,
    // The settings accept http for loopback addresses only.
    execute: [enableNonRepudiationChecks, ...(server.protocol === 'http:' ? [allowInsecureRequests] : [])]
  })
}
