import type { Configuration } from 'openid-client'
import { type OidcClaims, toUpstreamClaims, type UpstreamClaims } from './upstreamClaims.ts'

/** An upstream OpenID provider, and the registration of this server with it. */
export interface IdentityProviderSettings {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** The display name. */
  readonly name: string
  /** The claim that lists the groups of a person. */
  readonly groupsClaim: string
  /** OAuth scopes to request, separated by spaces; must include `openid`. */
  readonly scopes: string
}

/** The client of an upstream OpenID provider. */
export interface IdentityProvider {
  readonly name: string
  /**
   * Starts a login: returns the URL to send the browser to, and the checks for the callback.
   * @throws if the provider cannot be reached.
   */
  readonly startLogin: (callback: string) => Promise<{ readonly address: string; readonly checks: LoginChecks }>
  /**
   * Verifies a callback and returns the claims.
   * @throws {LoginDeclinedError} if the provider declined; any other error if the response is not valid.
   */
  readonly completeLogin: (returnedTo: URL, checks: LoginChecks) => Promise<UpstreamClaims>
}

/** The values that bind a callback to the browser that started the login. */
export interface LoginChecks {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

/** The provider declined a login. The message is an OAuth error code. */
export class LoginDeclinedError extends Error {
  override readonly name = 'LoginDeclinedError'
}

/**
 * Creates a client that uses the authorization code flow with PKCE, state and nonce, and verifies ID token signatures.
 */
export function createIdentityProvider(settings: IdentityProviderSettings): IdentityProvider {
  const { issuer, name, groupsClaim, scopes } = settings
  let known: Promise<Configuration> | undefined
  // Discovered on first use and again after a failure: the provider may be down when this server starts.
  const getConfiguration = () => {
    known ??= discover(settings).catch((error) => {
      known = undefined
      throw error
    })
    return known
  }
  return {
    name,
    startLogin: async (callback) => {
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
        code_challenge_method: 'S256'
      })
      return { address: address.href, checks }
    },
    completeLogin: async (returnedTo, { state, nonce, verifier }) => {
      const { AuthorizationResponseError, authorizationCodeGrant, fetchUserInfo } = await import('openid-client')
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
      const hasUserinfo = configuration.serverMetadata().userinfo_endpoint !== undefined
      // Many providers return most claims from the userinfo endpoint only.
      const userinfo = hasUserinfo ? await fetchUserInfo(configuration, tokens.access_token, signed.sub) : {}
      // `email_verified` counts only together with the `email` of the same source.
      const { email, email_verified }: Partial<OidcClaims> = signed.email === undefined ? userinfo : signed
      return toUpstreamClaims({ ...userinfo, ...signed, email, email_verified }, { issuer, groupsClaim })
    }
  }
}

/** The timeout of requests to the provider, in seconds. */
const TIMEOUT = 5

async function discover({ issuer, clientId, clientSecret }: IdentityProviderSettings): Promise<Configuration> {
  const { allowInsecureRequests, discovery, enableNonRepudiationChecks } = await import('openid-client')
  const server = new URL(issuer)
  return discovery(server, clientId, clientSecret, undefined, {
    timeout: TIMEOUT,
    // The settings accept http for loopback addresses only.
    execute: [enableNonRepudiationChecks, ...(server.protocol === 'http:' ? [allowInsecureRequests] : [])]
  })
}
