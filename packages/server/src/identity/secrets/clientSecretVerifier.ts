import { ApiError } from '../../lib/errors.ts'
import { createFailedAttemptLimiter, type FailedAttemptLimiter } from './failedAttemptLimiter.ts'
import { DUMMY_HASH, isFastHash, verifySecret } from './secretHash.ts'

/** An attempt to authenticate with a secret. */
interface Attempt {
  readonly clientId: string
  /** The network address of the caller: wrong attempts from other addresses do not lock a client out. */
  readonly address: string
  readonly secret: string
  /** The stored hash. If absent, verification fails and takes as long as for an existing client. */
  readonly verifier?: string | undefined
}

/** Returns whether a secret is correct. @throws {ApiError} 429 after too many failed attempts, or if too many wait. */
export type VerifyClientSecret = (trial: Attempt) => Promise<boolean>

/** The number of failed attempts per address and minute, for all clients together. */
const MOST_FROM_ADDRESS = 100

/** The maximum number of waiting attempts; each takes about 40 ms. */
const MOST_WAITING = 64

/**
 * Verifies client secrets. Attempts for one client from one address run one after another, so that concurrent attempts cannot
 * exceed the limit. A correct generated secret is accepted at once: it cannot be guessed, so failed attempts of others do not
 * block it. Every other attempt takes the time of a slow hash and is counted, so that neither time nor limits reveal which clients exist.
 */
export function createClientSecretVerifier(attempts: FailedAttemptLimiter): VerifyClientSecret {
  const addresses = createFailedAttemptLimiter(MOST_FROM_ADDRESS)
  const turns = new Map<string, Promise<unknown>>()
  let waiting = 0
  return async ({ clientId, address, secret, verifier }) => {
    const hasQuick = verifier !== undefined && isFastHash(verifier)
    if (hasQuick && (await verifySecret(secret, verifier))) return true
    const name = `client ${clientId.slice(0, 100)} from ${address}`
    const chosen = hasQuick ? undefined : verifier
    const trial = async () => {
      await addresses.assertAllowed([address])
      await attempts.assertAllowed([name])
      const isRight = (await verifySecret(secret, chosen ?? DUMMY_HASH)) && chosen !== undefined
      if (isRight) await attempts.reset([name])
      else await Promise.all([attempts.recordFailure([name]), addresses.recordFailure([address])])
      return isRight
    }
    await addresses.assertAllowed([address])
    if (waiting >= MOST_WAITING) throw busy()
    waiting++
    const before = turns.get(name) ?? Promise.resolve()
    const tried = before.then(trial, trial)
    turns.set(name, tried)
    try {
      return await tried
    } finally {
      waiting--
      if (turns.get(name) === tried) turns.delete(name)
    }
  }
}

function busy(): ApiError {
  const message = `too many pending attempts (limit: ${MOST_WAITING}); retry in 1 s`
  return new ApiError(429, 'rate_limited', message, { headers: { 'retry-after': '1' } })
}
