import { errors, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { z } from 'zod'
import { tokenErrorReason } from '../tokens/jwt.ts'

/** A valid logout token, which identifies a session, a person, or both. */
export interface LogoutToken {
  readonly jti: string
  readonly sid?: string | undefined
  readonly sub?: string | undefined
}

/** A logout token is not valid. The message has the reason, and no part of the token. */
export class LogoutTokenError extends Error {
  override readonly name = 'LogoutTokenError'
}

interface Expected {
  readonly keys: JWTVerifyGetKey
  readonly issuer: string
  /** The client id of this server at the provider. */
  readonly clientId: string
  /** Epoch milliseconds. */
  readonly now: number
}

/** The maximum age of a logout token in seconds, regardless of its expiry. Its `jti` is stored for as long. */
export const MAX_LOGOUT_TOKEN_AGE_S = 600

/** The clock skew allowed between this server and the provider, in seconds. */
export const CLOCK_SKEW_S = 60

/** Verifies a logout token (OpenID Connect Back-Channel Logout 1.0 §2.4 and §2.6). @throws {LogoutTokenError} */
export async function parseLogoutToken(token: string, { keys, issuer, clientId, now }: Expected): Promise<LogoutToken> {
  const expected = {
    algorithms: [...ALGORITHMS],
    issuer,
    audience: clientId,
    requiredClaims: ['exp', 'jti', 'events'],
    maxTokenAge: MAX_LOGOUT_TOKEN_AGE_S,
    clockTolerance: CLOCK_SKEW_S,
    currentDate: new Date(now)
  }
  const { payload, protectedHeader } = await jwtVerify(token, keys, expected).catch((cause) => {
    if (!(cause instanceof errors.JOSEError) || isKeyFailure(cause)) throw cause
    const right = { iss: issuer, aud: clientId, algorithms: ALGORITHMS }
    throw new LogoutTokenError(tokenErrorReason(cause, token, right), { cause })
  })
  const { typ = 'JWT' } = protectedHeader
  if (!TYPES.has(typ.toLowerCase())) throw new LogoutTokenError('its type (typ) should be logout+jwt')
  if ('nonce' in payload) throw new LogoutTokenError('it should have no nonce; ID tokens have one')
  const { success, data } = Claims.safeParse(payload)
  if (!success) throw new LogoutTokenError(`it should have jti, and events with the object ${LOGOUT_EVENT}`)
  const { jti, sid, sub } = data
  if (sid === undefined && sub === undefined) throw new LogoutTokenError('it should have sub, sid, or both')
  return { jti, sid, sub }
}

/** Asymmetric algorithms only: neither HMAC with the client secret nor `none` is accepted. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519'
] as const

/** Many libraries set `JWT` for tokens without a specific type. */
const TYPES: ReadonlySet<string> = new Set(['logout+jwt', 'application/logout+jwt', 'jwt'])

const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout'

const Claims = z.object({
  jti: z.string().min(1),
  sid: z.string().min(1).optional(),
  sub: z.string().min(1).optional(),
  events: z.object({ [LOGOUT_EVENT]: z.looseObject({}) })
})

/** Whether the keys of the provider could not be read. */
function isKeyFailure(error: Error): boolean {
  const isFailure = error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid
  // `jose` throws its generic error for responses that are not a key set.
  return isFailure || (error instanceof errors.JOSEError && error.code === 'ERR_JOSE_GENERIC')
}
