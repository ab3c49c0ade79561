import type { Configuration } from 'openid-client'
import { type Claims, claimsOf, type Told } from './told.ts'

/** An OpenID provider that people can sign in through instead of here, and how this server is known to it. */
export interface UpstreamSettings {
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
  readonly begin: (callback: string) => Promise<{ readonly address: string; readonly checks: Checks }>
  /** Who has returned to this address. @throws {Declined} when the provider says no, or anything else when it cannot be believed. */
  readonly finish: (returnedTo: URL, checks: Checks) => Promise<Told>
}

/** What only the browser that went to the provider can bring back. */
export interface Checks {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

/** The provider did not sign somebody in. Its message is a code of OAuth. */
export class Declined extends Error {
  override readonly name = 'Declined'
}

/** Signs people in by authorization code, with PKCE, state and nonce; the ID token's signature is verified too. */
export function createIdentityProvider(settings: UpstreamSettings): IdentityProvider {
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
    begin: async (callback) => {
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
    finish: async (returnedTo, { state, nonce, verifier }) => {
      const { AuthorizationResponseError, authorizationCodeGrant, fetchUserInfo } = await import('openid-client')
      const configuration = await discovered()
      const tokens = await authorizationCodeGrant(configuration, returnedTo, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true
      }).catch((cause) => {
        throw cause instanceof AuthorizationResponseError ? new Declined(cause.error, { cause }) : cause
      })
      const signed: Claims | undefined = tokens.claims()
      if (!signed) throw new Error('the provider answered no ID token')
      const isAsked = configuration.serverMetadata().userinfo_endpoint !== undefined
      // Many providers put little into the token, and tell the rest when asked.
      const asked = isAsked ? await fetchUserInfo(configuration, tokens.access_token, signed.sub) : {}
      // Whether an address is verified is said only by who tells the address.
      const { email, email_verified }: Partial<Claims> = signed.email === undefined ? asked : signed
      return claimsOf({ ...asked, ...signed, email, email_verified }, { issuer, groupsClaim })
    }
  }
}

/** How long the provider may take for each answer, in seconds. */
const TIMEOUT = 5

async function discover({ issuer, clientId, clientSecret }: UpstreamSettings): Promise<Configuration> {
  const { allowInsecureRequests, discovery, enableNonRepudiationChecks } = await import('openid-client')
  const server = new URL(issuer)
  return discovery(server, clientId, clientSecret, undefined, {
    timeout: TIMEOUT,
    // The settings let http pass for this computer only.
    execute: [enableNonRepudiationChecks, ...(server.protocol === 'http:' ? [allowInsecureRequests] : [])]
  })
}
