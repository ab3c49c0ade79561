import type { Logger } from '../../../lib/logger.ts'
import { networkOf } from '../../../lib/network.ts'
import type { StoredUser } from '../../../storage/resources/organization.ts'
import type { Store } from '../../../storage/store.ts'
import { signsInThroughProvider } from '../../people/signsInThroughProvider.ts'
import { createLimitedVerification } from '../../secrets/limitedVerification.ts'
import type { SecretHasher } from '../../secrets/secretHash.ts'

/** The credentials and context of a password login. */
export interface PasswordCredentials {
  readonly organization: string
  readonly email: string
  readonly password: string
  /** The network address of the browser. */
  readonly ipAddress: string
  /** The id of the browser, if this person has signed in with it before. */
  readonly deviceId: string | undefined
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
 * reveals the reason. Failed attempts from unknown browsers do not lock out a known one.
 * @throws {HttpError} 429 after too many failed attempts.
 */
export type PasswordLogin = (given: PasswordCredentials) => Promise<StoredUser | undefined>

interface Dependencies {
  readonly store: Store
  readonly hasher: SecretHasher
  readonly log: Logger
  /** The issuer of the identity provider, if configured. Its people sign in through it only. */
  readonly issuer: string | undefined
}

/** Creates the password login of a store. Replaces hashes with an outdated cost. */
export function createPasswordLogin({ store, hasher, log, issuer }: Dependencies): PasswordLogin {
  const verifyLimited = createLimitedVerification(PER_PERSON)

  const replaceOutdated = async (user: StoredUser, password: string): Promise<StoredUser> => {
    const passwordVerifier = await hasher.hash(password)
    return store.transaction(async (transaction) => {
      const current = await transaction.collection('users').get({ _id: user._id })
      if (current?.passwordVerifier !== user.passwordVerifier) return user
      await transaction.collection('users').update(user._id, { passwordVerifier })
      return { ...user, passwordVerifier }
    })
  }

  return async ({ organization, email: givenEmail, password, ipAddress, deviceId, requestId, onRefused }) => {
    const email = givenEmail.trim().toLowerCase()
    let user: StoredUser | undefined
    const network = networkOf(ipAddress)
    const isAllowed = await verifyLimited({
      name: deviceId ? `sign-in of ${email} with ${deviceId}` : `sign-in of ${email} from ${network}`,
      caller: network,
      // Unknown browsers from many networks share one limit.
      group: deviceId ? undefined : { name: email, resetsOnSuccess: true },
      verify: async () => {
        user = await store.collection('users').get({ _organization: organization, email })
        const isCorrect = await hasher.verify(password, user?.passwordVerifier ?? hasher.dummyHash)
        if (user?.passwordVerifier === undefined || !isCorrect || user.isDisabled) return false
        if (signsInThroughProvider(user, issuer)) return false
        if (hasher.isOutdated(user.passwordVerifier)) user = await replaceOutdated(user, password)
        return true
      }
    })
    if (isAllowed) return user
    // Log no input: users type anything into the address field, even the password.
    const reason = findRefusal(user, issuer)
    onRefused?.({ reason, ...(user ? { idp_user: user.userId } : {}) })
    log.warn({ requestId, userId: user?.userId, reason: reasons[reason] }, 'password login failed')
    return undefined
  }
}

/** The number of wrong passwords from unknown browsers per person and minute. */
const PER_PERSON = 100

const reasons = {
  unknown_account: 'no account has this address',
  disabled_account: 'the account is disabled',
  no_password: 'the account has no password',
  provider_required: 'the person signs in through the identity provider',
  wrong_password: 'the password is wrong'
} as const

function findRefusal(user: StoredUser | undefined, issuer: string | undefined): keyof typeof reasons {
  if (!user) return 'unknown_account'
  if (user.isDisabled) return 'disabled_account'
  if (user.passwordVerifier === undefined) return 'no_password'
  return signsInThroughProvider(user, issuer) ? 'provider_required' : 'wrong_password'
}
