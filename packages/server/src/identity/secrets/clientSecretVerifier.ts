import { ApiError } from '../../lib/errors.ts'
import { createFailedAttemptLimiter, type FailedAttemptLimiter } from './failedAttemptLimiter.ts'
import { DUMMY_HASH, isFastHash, verifySecret } from './secretHash.ts'

/** Somebody who shows a secret. */
interface Attempt {
  readonly clientId: string
  /** Where they are: the guesses of others do not lock a client out. */
  readonly address: string
  readonly secret: string
  /** What is kept of the right one. Absent when there is none; to try takes as long all the same. */
  readonly verifier?: string | undefined
}

/** Whether a secret is the right one. @throws {ApiError} 429 once there were too many wrong ones, or too many wait. */
export type VerifyClientSecret = (trial: Attempt) => Promise<boolean>

/** How many wrong secrets an address may show in a minute, whichever clients it names. */
const MOST_FROM_ADDRESS = 100

/** How many may wait for the one before; each takes about 40 ms. */
const MOST_WAITING = 64

/**
 * Tries the secrets of clients: those for one client from one address one after another, so that many at once are no way
 * round the count. The right secret opens at once where it was made up: nobody guesses it, so no guesses of others stand
 * in its way. Everything else takes the time of a chosen one and is counted, so that neither tells what clients there are.
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
  const message = `more than ${MOST_WAITING} secrets are waiting to be tried; go on in 1 s`
  return new ApiError(429, 'rate_limited', message, { headers: { 'retry-after': '1' } })
}
