import { ApiError } from '../../lib/errors.ts'
import type { Logger } from '../../lib/logger.ts'
import type { StoredUser } from '../../storage/resources.ts'
import type { Store } from '../../storage/store.ts'
import { createFailedAttemptLimiter, type FailedAttemptLimiter } from '../secrets/failedAttemptLimiter.ts'
import { DUMMY_HASH, verifySecret } from '../secrets/secretHash.ts'

/** What somebody gives who wants to sign in, and what else is known of them. */
export interface PasswordCredentials {
  readonly organization: string
  readonly email: string
  readonly password: string
  /** The network address they come from. */
  readonly ipAddress: string
  readonly requestId: string
}

/**
 * Finds out whose address and password these are; nobody's when they are wrong, whatever it is that is wrong: neither
 * the answer nor its time tells.
 * @throws {ApiError} 429 after too many wrong ones.
 */
export type PasswordLogin = (given: PasswordCredentials) => Promise<StoredUser | undefined>

interface Dependencies {
  readonly store: Store
  readonly attemptLimiter: FailedAttemptLimiter
  readonly log: Logger
}

/** Signs people of a store in. */
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
    // Counted before it is looked at: those who send many at once get no more.
    for (const [counted, names] of counts) await counted.recordFailure(names)
    const user = await store.collection('users').get({ _organization: organization, email })
    waiting++
    const isRight = await verifySecret(password, user?.passwordVerifier ?? DUMMY_HASH).finally(() => waiting--)
    if (user?.passwordVerifier !== undefined && isRight && !user.isDisabled) {
      for (const [counted, names] of counts) await counted.reset(names)
      return user
    }
    // What was written as the address can be anything, even the password.
    log.warn({ requestId, userId: user?.userId, reason: reasonOf(user) }, 'a sign-in was refused')
    return undefined
  }
}

/** How many wrong passwords an address can be given in a minute by all there are, so that nobody gets more by coming from many places. */
const MOST_EVERYWHERE = 100
/** How many may wait for the one before; each takes about 40 ms. */
const MOST_WAITING = 64

function busy(): ApiError {
  const message = `more than ${MOST_WAITING} people are waiting to sign in; go on in 1 s`
  return new ApiError(429, 'rate_limited', message, { headers: { 'retry-after': '1' } })
}

function reasonOf(user: StoredUser | undefined): string {
  if (!user) return 'there is nobody with this address'
  if (user.isDisabled) return 'they are disabled'
  return user.passwordVerifier === undefined ? 'they have no password' : 'the password is wrong'
}
