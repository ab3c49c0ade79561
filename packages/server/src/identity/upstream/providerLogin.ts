import type { Configuration } from 'openid-client'
import { SECOND } from '../../lib/time.ts'
import type { ProviderTokens } from '../../storage/resources/organization.ts'
import { assertIdToken, readClaims, toProviderTokens } from './providerTokens.ts'
import type { ClaimNames, OidcClaims, UpstreamClaims } from './upstreamClaims.ts'

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

/** A login that has started: the URL to send the browser to, and the checks for the callback. */
export interface StartedLogin {
  readonly address: string
  readonly checks: LoginChecks
}

/** The provider declined a login. The message is an OAuth error code. */
export class LoginDeclinedError extends Error {
  override readonly name = 'LoginDeclinedError'
  /** The text of the provider, of any length. */
  readonly description: string | undefined

  constructor(code: string, description: string | undefined, options: ErrorOptions) {
    super(code, options)
    this.description = description
  }
}

interface LoginRequest {
  /** The URL to which the provider redirects. */
  readonly callback: string
  readonly scopes: string
  readonly freshness: Freshness | undefined
}

/** Builds the request of a login: the authorization code flow with PKCE, state and nonce. */
export async function buildLogin(
  configuration: Configuration,
  { callback, scopes, freshness }: LoginRequest
): Promise<StartedLogin> {
  const { buildAuthorizationUrl, calculatePKCECodeChallenge, ...random } = await import('openid-client')
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
}

interface LoginVerification extends ClaimNames {
  readonly clientId: string
  readonly now: () => number
}

/** Verifies the callback of a login. @throws {LoginDeclinedError} if the provider declined. */
export async function completeLogin(
  configuration: Configuration,
  { returnedTo, checks }: { readonly returnedTo: URL; readonly checks: LoginChecks },
  { clientId, now, ...names }: LoginVerification
): Promise<CompletedLogin> {
  const { AuthorizationResponseError, authorizationCodeGrant } = await import('openid-client')
  const tokens = await authorizationCodeGrant(configuration, returnedTo, {
    expectedState: checks.state,
    expectedNonce: checks.nonce,
    pkceCodeVerifier: checks.verifier,
    idTokenExpected: true
  }).catch((cause) => {
    if (!(cause instanceof AuthorizationResponseError)) throw cause
    throw new LoginDeclinedError(cause.error, cause.error_description, { cause })
  })
  const signed: OidcClaims | undefined = tokens.claims()
  if (!signed) throw new Error('the provider returned no ID token')
  assertIdToken(tokens.id_token ?? '', signed, clientId)
  const { claims, hasGroupsInIdTokenOnly } = await readClaims(configuration, tokens, signed.sub, names)
  const { sid, auth_time: authTime } = signed
  return {
    claims,
    sid: typeof sid === 'string' ? sid : undefined,
    authenticatedAt: typeof authTime === 'number' ? authTime * SECOND : undefined,
    tokens: { ...toProviderTokens(tokens, now()), hasGroupsInIdTokenOnly }
  }
}
