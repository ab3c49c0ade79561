import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import type { IdGenerator } from '../../../lib/idGenerator.ts'
import { createRefusingLimiter } from '../../../lib/limits/rateLimiter.ts'
import type { Logger } from '../../../lib/logger.ts'
import { networkOf } from '../../../lib/network.ts'
import type { StoredUser } from '../../../storage/resources/organization.ts'
import { type Store, StoreUnavailableError } from '../../../storage/store.ts'
import { putChallenge, takeChallenge } from '../../secondFactor/challenges.ts'
import {
  createAuthenticationOptions,
  createChallenge,
  toRelyingParty,
  verifyAuthentication
} from '../../secondFactor/passkeys.ts'

/** The sign-in by passkey. */
export interface PasskeyLogin {
  /** Returns the options of a sign-in, with a new challenge. @throws {HttpError} 429 */
  readonly start: (uid: string, ipAddress: string) => Promise<object>
  /** Returns the person who signed in; `undefined` if the response is not valid. */
  readonly complete: (attempt: PasskeyAttempt) => Promise<StoredUser | undefined>
}

/** The response of a passkey. */
interface PasskeyAttempt {
  /** The id of the interaction. */
  readonly uid: string
  readonly organization: string
  /** The JSON that the browser sent. */
  readonly credential: string
  /** The person of the first step, if there was one. */
  readonly firstStep: StoredUser | undefined
  readonly requestId: string
  /** Receives the reason of a refusal, and the account if there is one. */
  readonly onRefused: (refusal: PasskeyRefusal) => void
}

/** Why a response was refused. */
export interface PasskeyRefusal {
  readonly reason: 'unknown_passkey' | 'disabled_account' | 'invalid_passkey' | 'provider_required'
  readonly idp_user?: string
}

interface Dependencies {
  readonly store: Store
  readonly ids: IdGenerator
  readonly now: () => number
  readonly log: Logger
  readonly publicUrl: () => string
}

/** The maximum number of started sign-ins by passkey per minute and network; each stores a challenge. */
const STARTS_PER_MINUTE = 60

/**
 * Creates the sign-in by passkey. A challenge belongs to one interaction and is used once, even if the sign-in fails.
 * The passkey of a person who signs in through an identity provider counts as the second step only, so that the
 * provider can refuse people who have left.
 */
export function createPasskeyLogin(dependencies: Dependencies): PasskeyLogin {
  const { store, ids, log, publicUrl } = dependencies
  const reason = `too many sign-ins by passkey (limit: ${STARTS_PER_MINUTE} per minute)`
  const starts = createRefusingLimiter({ perMinute: STARTS_PER_MINUTE, reason })
  return {
    start: async (uid, ipAddress) => {
      await starts.consume(networkOf(ipAddress))
      const challenge = createChallenge(ids)
      await putChallenge(dependencies, 'signIn', { origin: uid }, challenge)
      return createAuthenticationOptions(toRelyingParty(publicUrl()), challenge)
    },
    complete: async ({ uid, organization, credential, firstStep, requestId, onRefused }) => {
      const challenge = await takeChallenge(dependencies, 'signIn', { origin: uid })
      const response = parseCredential(credential)
      const passkey = response && (await store.collection('passkeys').get({ credentialId: String(response.id) }))
      const user = passkey && (await store.collection('users').get({ _id: passkey._user }))
      const isOther = firstStep !== undefined && firstStep._id !== user?._id
      if (!response || !passkey || user?._organization !== organization || isOther) {
        onRefused({ reason: 'unknown_passkey' })
        return undefined
      }
      const idp_user = user.userId
      if (user.isDisabled) {
        onRefused({ reason: 'disabled_account', idp_user })
        return undefined
      }
      try {
        if (challenge === undefined) throw new Error('its challenge was used or has expired')
        await verifyAuthentication(dependencies, passkey, response, toRelyingParty(publicUrl()), challenge)
      } catch (error) {
        if (error instanceof StoreUnavailableError) throw error
        log.warn({ requestId, userId: idp_user, err: error }, 'a sign-in by passkey failed')
        onRefused({ reason: 'invalid_passkey', idp_user })
        return undefined
      }
      if (!user.identity || firstStep) return user
      onRefused({ reason: 'provider_required', idp_user })
      return undefined
    }
  }
}

/** Parses the response of a browser; the verification reads its members. */
function parseCredential(text: string): AuthenticationResponseJSON | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const isCredential = typeof value === 'object' && value !== null && 'id' in value && 'response' in value
    return isCredential ? (value as AuthenticationResponseJSON) : undefined
  } catch {
    return undefined
  }
}
