import { createLocalJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, SignJWT } from 'jose'
import type { SigningKeys } from '../keys/signingKeys.ts'

/** Signs the claims of a token of this type with the current key. */
export function signToken(
  { privateJwks }: Pick<SigningKeys, 'privateJwks'>,
  claims: JWTPayload,
  typ = 'at+jwt'
): Promise<string> {
  const [jwk] = privateJwks
  if (!jwk) throw new Error('there is no signing key')
  return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', typ, kid: jwk.kid }).sign(jwk)
}

/** Why a token is refused whose key was no longer in use at its issue time. */
export const RETIRED_KEY = 'its key was retired before it was issued'

/** Returns the key that a token names. Tokens must name one. */
export function createKeyResolver(keys: Pick<SigningKeys, 'publicJwks'>): JWTVerifyGetKey {
  let known: { readonly publicJwks: unknown; readonly find: JWTVerifyGetKey } | undefined
  return async (header, token) => {
    if (typeof header.kid !== 'string') throw new errors.JWKSNoMatchingKey('it names no key (kid)')
    const { publicJwks } = keys
    if (known?.publicJwks !== publicJwks) known = { publicJwks, find: createLocalJWKSet({ keys: [...publicJwks] }) }
    return known.find(header, token)
  }
}

/** Describes why a token is not valid, without quoting it. */
export function describeTokenError(
  error: unknown,
  token: string,
  expected: { readonly iss: string; readonly aud: string }
): string {
  if (error instanceof errors.JWTExpired) return 'jwt expired'
  if (token.split('.').length !== 3)
    return 'the token is not valid: it is not a JWT, which has three parts separated by dots'
  if (error instanceof errors.JWKSNoMatchingKey && error.message === new errors.JWKSNoMatchingKey().message)
    return 'the token is not valid: it was signed with a key that was removed, or that this server never had; get a new token'
  const known = error instanceof errors.JOSEError ? error.message : 'it cannot be read'
  const claim = error instanceof errors.JWTClaimValidationFailed ? error.claim : undefined
  const right = claim === 'iss' || claim === 'aud' ? `; it should be ${expected[claim]}` : ''
  return `the token is not valid: ${known}${right}`
}
