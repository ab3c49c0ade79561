import { compactVerify, importJWK, type JWK } from 'jose'
import { DAY, HOUR, SECOND } from '../../../lib/time.ts'
import type { StoredWorkloadTrust } from '../../../storage/resources/workload.ts'
import type { IssuerKeys } from './issuerKeys.ts'
import { meetsConditions } from './matchConditions.ts'
import { type RefusalReason, SubjectTokenRefusal } from './refusal.ts'
import type { Algorithm, Claims, SubjectToken } from './subjectToken.ts'

interface Dependencies {
  readonly issuerKeys: IssuerKeys
  /** Epoch milliseconds. */
  readonly at: number
  /** The allowed clock skew, in milliseconds. */
  readonly skewMs: number
}

/**
 * Verifies the signature of a token with the keys of a trust, and its times.
 * @throws {SubjectTokenRefusal} and {HttpError} 503 if the keys cannot be read.
 */
export async function verifySubjectToken(
  token: SubjectToken,
  trust: StoredWorkloadTrust,
  { issuerKeys, at, skewMs }: Dependencies
): Promise<void> {
  const isCandidate = candidateFor(token)
  const keys = (await issuerKeys.find(trust, (known) => known.some(isCandidate))).filter(isCandidate)
  const [key] = keys
  // Without a key id, several keys would be ambiguous.
  if (!key || keys.length > 1) throw new SubjectTokenRefusal('unknown_key')
  try {
    await compactVerify(token.text, await importJWK(key, token.alg), { algorithms: [token.alg] })
  } catch {
    throw new SubjectTokenRefusal('wrong_signature')
  }
  const reason = findTimeProblem(token.claims, at, skewMs)
  if (reason !== undefined) throw new SubjectTokenRefusal(reason)
}

/** Returns why a trust does not accept a verified token, or `undefined`. */
export function findMismatch(
  { claims }: SubjectToken,
  { audience, conditions }: Pick<StoredWorkloadTrust, 'audience' | 'conditions'>
): RefusalReason | undefined {
  const audiences = Array.isArray(claims.aud) ? claims.aud : [claims.aud]
  // Each audience of a token for several could use it here.
  if (audiences.length !== 1 || audiences[0] !== audience) return 'wrong_audience'
  if (typeof claims.sub !== 'string' || claims.sub === '') return 'no_subject'
  return meetsConditions(claims, conditions) ? undefined : 'conditions_not_met'
}

function candidateFor({ alg, kid }: SubjectToken): (key: JWK) => boolean {
  return (key) => (kid === undefined || key.kid === kid) && isForSignatures(key) && fits(key, alg)
}

function isForSignatures({ use, key_ops }: JWK): boolean {
  return (use === undefined || use === 'sig') && (key_ops === undefined || key_ops.includes('verify'))
}

function fits({ kty, crv, n = '', alg }: JWK, wanted: Algorithm): boolean {
  if (alg !== undefined && alg !== wanted && !(wanted === 'EdDSA' && alg === 'Ed25519')) return false
  if (wanted === 'EdDSA') return kty === 'OKP' && crv === 'Ed25519'
  if (wanted === 'ES256') return kty === 'EC' && crv === 'P-256'
  if (wanted === 'ES384') return kty === 'EC' && crv === 'P-384'
  return kty === 'RSA' && Buffer.from(n, 'base64url').length >= MIN_RSA_BYTES
}

const MIN_RSA_BYTES = 2048 / 8

function findTimeProblem({ exp, iat, nbf = iat }: Claims, at: number, skewMs: number): RefusalReason | undefined {
  const [expires, issued, begins] = [exp, iat, nbf].map((value) => {
    return typeof value === 'number' && Number.isFinite(value) ? value * SECOND : Number.NaN
  }) as [number, number, number]
  if (!(expires > at - skewMs)) return 'token_expired'
  if (!(issued <= at + skewMs && begins <= at + skewMs)) return 'token_not_yet_valid'
  return issued >= at - HOUR && expires - issued <= DAY ? undefined : 'token_too_old'
}
