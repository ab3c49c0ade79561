import { createRefusingLimiter } from '../../lib/limits/rateLimiter.ts'
import { networkOf } from '../../lib/network.ts'
import { toIsoString } from '../../lib/time.ts'
import type { StoredUser } from '../../storage/resources/organization.ts'
import type { Store } from '../../storage/store.ts'
import { hashRecoveryCode } from './recoveryCodes.ts'
import { findTimeStep } from './totp.ts'

/** A code that a person entered after the password. */
interface CodeAttempt {
  readonly user: StoredUser
  readonly code: string
  /** The network address of the browser. */
  readonly ipAddress: string
  /** The id of the browser, if this person has signed in with it before. */
  readonly deviceId: string | undefined
}

/**
 * Accepts a code of an authenticator app or a recovery code, once. Returns which it was, or `undefined` if it is wrong
 * or was used before.
 * @throws {HttpError} 429 after too many wrong codes.
 */
export type CodeVerifier = (attempt: CodeAttempt) => Promise<'totp' | 'recoveryCode' | undefined>

interface Dependencies {
  readonly store: Store
  readonly now: () => number
}

/**
 * Creates the verification of codes. Wrong and used ones are limited by person and network. Known browsers of the
 * person have separate limits, so that attempts from unknown browsers, which share a second limit, do not lock them
 * out.
 */
export function createCodeVerifier({ store, now }: Dependencies): CodeVerifier {
  const names = createRefusingLimiter({ perMinute: PER_NAME, reason: tooMany(PER_NAME) })
  const unknownBrowsers = createRefusingLimiter({ perMinute: PER_PERSON, reason: tooMany(PER_PERSON) })
  return async ({ user, code, ipAddress, deviceId }) => {
    const name = `${user.userId} ${deviceId === undefined ? networkOf(ipAddress) : `device ${deviceId}`}`
    // Counted before the check, so that concurrent attempts cannot exceed the limit.
    await names.consume(name)
    if (deviceId === undefined) await unknownBrowsers.consume(user.userId)
    const accepted = await store.transaction(
      async (transaction) =>
        (await useTotp(transaction, user, code, now())) ?? (await useRecoveryCode(transaction, user, code))
    )
    if (accepted) {
      await names.reset(name)
      // Wrong codes of others stay counted: a sign-in of the person does not give them new ones.
      if (deviceId === undefined) await unknownBrowsers.refund(user.userId)
    }
    return accepted
  }
}

/** Wrong codes per minute of a person from one network, or in one known browser. */
const PER_NAME = 5

/** Wrong codes per minute of a person in unknown browsers. */
const PER_PERSON = 10

function tooMany(limit: number): string {
  return `too many codes (limit: ${limit} per minute)`
}

async function useTotp(
  store: Store,
  { _id: _user }: StoredUser,
  code: string,
  now: number
): Promise<'totp' | undefined> {
  const digits = code.replace(/\s/g, '')
  if (!/^\d{6}$/.test(digits)) return undefined
  const apps = store.collection('authenticatorApps')
  for (const { _id, totpSecret, lastStep } of (await apps.list({ where: { _user } })).items) {
    const step = findTimeStep(totpSecret, digits, now)
    if (step === undefined || step <= lastStep) continue
    await apps.update(_id, { lastStep: step, lastUsedAt: toIsoString(now) })
    return 'totp'
  }
  return undefined
}

async function useRecoveryCode(
  store: Store,
  { _id: _user }: StoredUser,
  code: string
): Promise<'recoveryCode' | undefined> {
  const codes = await store.collection('recoveryCodes').get({ _user })
  const hash = hashRecoveryCode(code)
  if (!codes?.codeHashes.includes(hash)) return undefined
  const codeHashes = codes.codeHashes.filter((one) => one !== hash)
  await store.collection('recoveryCodes').update(codes._id, { codeHashes })
  return 'recoveryCode'
}
