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

interface ExpectedToken {
  readonly iss: string
  readonly aud: string
  /** RS256 if omitted. */
  readonly algorithms?: readonly string[]
}

/** Describes why a token is not valid, without quoting it. */
export function describeTokenError(error: unknown, token: string, expected: ExpectedToken): string {
  const reason = tokenErrorReason(error, token, expected)
  // Clients recognize this text.
  return reason === EXPIRED ? EXPIRED : `the token is not valid: ${reason}`
}

const EXPIRED = 'jwt expired'

/** Returns the reason only, for example "it is not a JWT". */
export function tokenErrorReason(error: unknown, token: string, expected: ExpectedToken): string {
  if (error instanceof errors.JWTExpired) return EXPIRED
  if (/^(basic|digest) /i.test(token)) return 'the Authorization header should be "Bearer " and an access token'
  if (token.split('.').length !== 3) return 'it is not a JWT, which has three parts separated by dots'
  if (error instanceof errors.JWKSNoMatchingKey && error.message === new errors.JWKSNoMatchingKey().message)
    return 'it was signed with a key that was removed, or that this server never had; get a new token'
  if (error instanceof errors.JOSEAlgNotAllowed) {
    const { algorithms = ['RS256'] } = expected
    return `its algorithm (alg) should be ${algorithms.length > 1 ? 'one of ' : ''}${algorithms.join(', ')}`
  }
  const isMalformed = error instanceof errors.JWSInvalid || error instanceof errors.JWTInvalid
  const known = error instanceof errors.JOSEError && !isMalformed ? error.message : 'its parts are not those of a JWT'
  const claim = error instanceof errors.JWTClaimValidationFailed ? error.claim : undefined
  const right = claim === 'iss' || claim === 'aud' ? `; it should be ${expected[claim]}` : ''
  return `${known}${right}`
}
