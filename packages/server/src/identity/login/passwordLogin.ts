import { ApiError } from '../../lib/errors.ts'
import type { Logger } from '../../lib/logger.ts'
import type { StoredUser } from '../../storage/resources.ts'
import type { Store } from '../../storage/store.ts'
import { createFailedAttemptLimiter, type FailedAttemptLimiter } from '../secrets/failedAttemptLimiter.ts'
import { DUMMY_HASH, verifySecret } from '../secrets/secretHash.ts'

/** The credentials and context of a password login. */
export interface PasswordCredentials {
  readonly organization: string
  readonly email: string
  readonly password: string
  /** The network address of the browser. */
  readonly ipAddress: string
  readonly requestId: string
}

/**
 * Verifies an e-mail address and password. Returns undefined if they are wrong; neither the result nor its timing reveals why.
 * @throws {ApiError} 429 after too many failed attempts.
 */
export type PasswordLogin = (given: PasswordCredentials) => Promise<StoredUser | undefined>

interface Dependencies {
  readonly store: Store
  readonly attemptLimiter: FailedAttemptLimiter
  readonly log: Logger
}

/** Creates the password login of a store. */
export function createPasswordLogin({ store, attemptLimiter, log }: Dependencies): PasswordLogin {
  const everywhere = createFailedAttemptLimiter(MOST_EVERYWHERE)
  let waiting = 0
  return async ({ organization, email: written, password, ipAddress, requestId }) => {
    const email = written.trim().toLowerCase()
    const counts = [
      [attemptLimiter, [`sign-in of ${email} from ${ipAddress}`]],
      [everywhere, [email]]
    ] as const
    if (waiting >= MOST_WAITING) throw busy()
    for (const [counted, names] of counts) await counted.assertAllowed(names)
    // Counted before the verification, so that concurrent attempts gain nothing.
    for (const [counted, names] of counts) await counted.recordFailure(names)
    const user = await store.collection('users').get({ _organization: organization, email })
    waiting++
    const isRight = await verifySecret(password, user?.passwordVerifier ?? DUMMY_HASH).finally(() => waiting--)
    if (user?.passwordVerifier !== undefined && isRight && !user.isDisabled) {
      for (const [counted, names] of counts) await counted.reset(names)
      return user
    }
    // Log no input: users type anything into the address field, even the password.
    log.warn({ requestId, userId: user?.userId, reason: reasonOf(user) }, 'password login failed')
    return undefined
  }
}

/** Failed attempts per account and minute from all addresses together, so that many addresses gain nothing. */
const MOST_EVERYWHERE = 100
/** The maximum number of waiting attempts; each takes about 40 ms. */
const MOST_WAITING = 64

function busy(): ApiError {
  const message = `too many pending logins (limit: ${MOST_WAITING}); retry in 1 s`
  return new ApiError(429, 'rate_limited', message, { headers: { 'retry-after': '1' } })
}

function reasonOf(user: StoredUser | undefined): string {
  if (!user) return 'there is nobody with this address'
  if (user.isDisabled) return 'they are disabled'
  return user.passwordVerifier === undefined ? 'they have no password' : 'the password is wrong'
}
