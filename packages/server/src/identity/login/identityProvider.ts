import type { Configuration } from 'openid-client'
import { type OidcClaims, toUpstreamClaims, type UpstreamClaims } from './upstreamClaims.ts'

/** An OpenID provider that people can sign in through instead of here, and how this server is known to it. */
export interface IdentityProviderSettings {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** As people know it. */
  readonly name: string
  /** The claim with the groups that somebody is in. */
  readonly groupsClaim: string
  /** What to ask for, separated by spaces. */
  readonly scopes: string
}

/** The provider, to sign somebody in through. */
export interface IdentityProvider {
  readonly name: string
  /** Where somebody is to sign in, and what their return will be held against. @throws when it cannot be reached. */
  readonly startLogin: (callback: string) => Promise<{ readonly address: string; readonly checks: LoginChecks }>
  /** Who has returned to this address. @throws {LoginDeclinedError} when the provider says no, or anything else when it cannot be believed. */
  readonly completeLogin: (returnedTo: URL, checks: LoginChecks) => Promise<UpstreamClaims>
}

/** What only the browser that went to the provider can bring back. */
export interface LoginChecks {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

/** The provider did not sign somebody in. Its message is a code of OAuth. */
export class LoginDeclinedError extends Error {
  override readonly name = 'LoginDeclinedError'
}

/** Signs people in by authorization code, with PKCE, state and nonce; the ID token's signature is verified too. */
export function createIdentityProvider(settings: IdentityProviderSettings): IdentityProvider {
  const { issuer, name, groupsClaim, scopes } = settings
  let known: Promise<Configuration> | undefined
  // Asked for when somebody first needs it, and again when that failed: the provider can be down when this server starts.
  const discovered = () => {
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
      const configuration = await discovered()
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
      const configuration = await discovered()
      const tokens = await authorizationCodeGrant(configuration, returnedTo, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true
      }).catch((cause) => {
        throw cause instanceof AuthorizationResponseError ? new LoginDeclinedError(cause.error, { cause }) : cause
      })
      const signed: OidcClaims | undefined = tokens.claims()
      if (!signed) throw new Error('the provider answered no ID token')
      const isAsked = configuration.serverMetadata().userinfo_endpoint !== undefined
      // Many providers put little into the token, and tell the rest when asked.
      const asked = isAsked ? await fetchUserInfo(configuration, tokens.access_token, signed.sub) : {}
      // Whether an address is verified is said only by who tells the address.
      const { email, email_verified }: Partial<OidcClaims> = signed.email === undefined ? asked : signed
      return toUpstreamClaims({ ...asked, ...signed, email, email_verified }, { issuer, groupsClaim })
    }
  }
}

/** How long the provider may take for each answer, in seconds. */
const TIMEOUT = 5

async function discover({ issuer, clientId, clientSecret }: IdentityProviderSettings): Promise<Configuration> {
  const { allowInsecureRequests, discovery, enableNonRepudiationChecks } = await import('openid-client')
  const server = new URL(issuer)
  return discovery(server, clientId, clientSecret, undefined, {
    timeout: TIMEOUT,
    // The settings let http pass for this computer only.
    execute: [enableNonRepudiationChecks, ...(server.protocol === 'http:' ? [allowInsecureRequests] : [])]
  })
}
