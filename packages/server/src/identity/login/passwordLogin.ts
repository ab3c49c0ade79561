import type { Logger } from '../../lib/logger.ts'
import type { StoredUser } from '../../storage/resources/organization.ts'
import type { Store } from '../../storage/store.ts'
import { createLimitedVerification } from '../secrets/limitedVerification.ts'
import { DUMMY_HASH, verifySecret } from '../secrets/secretHash.ts'

/** The credentials and context of a password login. */
export interface PasswordCredentials {
  readonly organization: string
  readonly email: string
  readonly password: string
  /** The network address of the browser. */
  readonly ipAddress: string
  readonly requestId: string
  /** Receives the reason of a refusal, and the account if there is one. */
  readonly onRefused?: (refusal: LoginRefusal) => void
}

/** Why a password login was refused. */
export interface LoginRefusal {
  readonly reason: keyof typeof reasons
  readonly idp_user?: string
}

/**
 * Verifies an e-mail address and password. Returns undefined if they are wrong; neither the result nor its timing
 * reveals the reason.
 * @throws {HttpError} 429 after too many failed attempts.
 */
export type PasswordLogin = (given: PasswordCredentials) => Promise<StoredUser | undefined>

interface Dependencies {
  readonly store: Store
  readonly log: Logger
}

/** Creates the password login of a store. */
export function createPasswordLogin({ store, log }: Dependencies): PasswordLogin {
  const verifyLimited = createLimitedVerification()
  return async ({ organization, email: givenEmail, password, ipAddress, requestId, onRefused }) => {
    const email = givenEmail.trim().toLowerCase()
    let user: StoredUser | undefined
    const isAllowed = await verifyLimited({
      name: `sign-in of ${email} from ${ipAddress}`,
      // Attempts from many addresses share one limit.
      group: { name: email, resetsOnSuccess: true },
      verify: async () => {
        user = await store.collection('users').get({ _organization: organization, email })
        const isCorrect = await verifySecret(password, user?.passwordVerifier ?? DUMMY_HASH)
        return user?.passwordVerifier !== undefined && isCorrect && !user.isDisabled
      }
    })
    if (isAllowed) return user
    // Log no input: users type anything into the address field, even the password.
    const reason = reasonOf(user)
    onRefused?.({ reason, ...(user ? { idp_user: user.userId } : {}) })
    log.warn({ requestId, userId: user?.userId, reason: reasons[reason] }, 'password login failed')
    return undefined
  }
}

const reasons = {
  unknown_account: 'no account has this address',
  disabled_account: 'the account is disabled',
  no_password: 'the account has no password',
  wrong_password: 'the password is wrong'
} as const

function reasonOf(user: StoredUser | undefined): keyof typeof reasons {
  if (!user) return 'unknown_account'
  if (user.isDisabled) return 'disabled_account'
  return user.passwordVerifier === undefined ? 'no_password' : 'wrong_password'
}
