import { omitUndefined } from '@burgee/kit'
import { decodeProtectedHeader } from 'jose'
import type { Configuration, TokenEndpointResponse, TokenEndpointResponseHelpers } from 'openid-client'
import { SECOND } from '../../lib/time.ts'
import type { ProviderTokens } from '../../storage/resources/organization.ts'
import { CLOCK_SKEW_S } from './logoutToken.ts'
import { type ClaimNames, type OidcClaims, toUpstreamClaims, type UpstreamClaims } from './upstreamClaims.ts'

type Tokens = TokenEndpointResponse & TokenEndpointResponseHelpers

/** The claims of a person, and where the provider lists the groups. */
interface ReadClaims {
  readonly claims: UpstreamClaims
  readonly hasGroupsInIdTokenOnly: boolean
}

/**
 * Reads the claims of a person from the ID token and the userinfo endpoint.
 * @param tokens A token response, or an access token.
 */
export async function readClaims(
  configuration: Configuration,
  tokens: Tokens | string,
  subject: string,
  names: ClaimNames
): Promise<ReadClaims> {
  const signed: OidcClaims | undefined = typeof tokens === 'string' ? undefined : tokens.claims()
  if (signed && signed.sub !== subject) throw new Error('the ID token has another subject')
  const accessToken = typeof tokens === 'string' ? tokens : tokens.access_token
  // Many providers return most claims from the userinfo endpoint only.
  const userinfo = await readUserinfo(configuration, accessToken, subject)
  if (!signed && !userinfo) throw new Error('the provider has no userinfo endpoint and sent no ID token')
  // `email_verified` counts only together with the `email` of the same source.
  const { email, email_verified }: Partial<OidcClaims> = (signed?.email === undefined ? userinfo : signed) ?? {}
  const claims = { ...userinfo, ...signed, sub: subject, email, email_verified }
  const { groupsClaim } = names
  return {
    claims: toUpstreamClaims(claims, names),
    hasGroupsInIdTokenOnly: signed?.[groupsClaim] !== undefined && userinfo?.[groupsClaim] === undefined
  }
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

/** Gets new tokens by the refresh token of the provider; else returns the access token while it is valid. */
export async function refresh(
  configuration: Configuration,
  { refreshToken, accessToken, accessTokenExpiresAt = Number.POSITIVE_INFINITY }: ProviderTokens,
  now: number
): Promise<Tokens | string> {
  const { refreshTokenGrant } = await import('openid-client')
  if (refreshToken !== undefined) return refreshTokenGrant(configuration, refreshToken)
  if (accessToken !== undefined && now < accessTokenExpiresAt) return accessToken
  throw new Error('the provider issued no refresh token, and its access token has expired')
}

/** Returns the tokens to store of a token response. A provider that sends no new refresh token keeps the one before. */
export function toProviderTokens(tokens: Tokens, now: number, before: ProviderTokens = {}): ProviderTokens {
  const { access_token: accessToken, refresh_token: refreshToken = before.refreshToken, expires_in } = tokens
  const accessTokenExpiresAt = expires_in === undefined ? undefined : now + expires_in * SECOND
  const { hasGroupsInIdTokenOnly } = before
  return omitUndefined({ hasGroupsInIdTokenOnly, accessToken, accessTokenExpiresAt, refreshToken })
}

/**
 * Completes the library's verification of an ID token (OpenID Connect Core §3.1.3.7): checks its audience, when it was
 * issued, and that it is not a token of another type, which the provider signs with the same key.
 * @throws if the token is not for this server.
 */
export function assertIdToken(token: string, { azp, iat }: OidcClaims, clientId: string): void {
  if (azp !== undefined && azp !== clientId) throw new Error('the ID token was issued to another client (azp)')
  // The library compares `exp` with this clock too.
  const latest = Date.now() + CLOCK_SKEW_S * SECOND
  if (typeof iat === 'number' && iat * SECOND > latest) throw new Error('the ID token was issued in the future (iat)')
  const { typ = 'JWT' } = decodeProtectedHeader(token)
  if (OTHER_TYPES.test(typ)) throw new Error(`the ID token has the type ${typ} (typ)`)
}

const OTHER_TYPES = /^(application\/)?(at|logout)\+jwt$/i
