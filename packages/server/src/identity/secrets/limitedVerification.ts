import { createRefusingLimiter } from '../../lib/limits/rateLimiter.ts'
import { runDerivation } from './runDerivation.ts'

/** An attempt to authenticate with a secret. */
interface Attempt {
  /**
   * The key of the limit, for example `client deploy from 10.0.0.1`. See docs/reference/management.md#failed-attempts.
   */
  readonly name: string
  /** The key of the fair queue of attempts: the network of the request, or the id of its holder. */
  readonly caller: string
  /** A wider limit for attempts of many names. */
  readonly group?:
    | {
        readonly name: string
        /** Whether a successful attempt clears the failed attempts of the group. */
        readonly resetsOnSuccess: boolean
      }
    | undefined
  /**
   * Recognizes a secret that was correct before, in constant time. It is accepted without the queue, unless ten wrong
   * secrets were compared with it within a minute: other names of the group can neither lock it out nor delay it.
   */
  readonly recognize?: (() => boolean) | undefined
  /** Returns whether the secret is correct. */
  readonly verify: () => Promise<boolean>
}

/**
 * Verifies a secret and counts failures.
 * @throws {HttpError} 429 after too many failed attempts, or while too many wait.
 */
export type LimitedVerification = (attempt: Attempt) => Promise<boolean>

/**
 * Creates the limits of one kind of secret; `perGroup` is the number of failed attempts per group and minute. Attempts
 * run one after another, so that concurrent attempts cannot exceed a limit.
 */
export function createLimitedVerification(perGroup: number): LimitedVerification {
  const names = createRefusingLimiter({ perMinute: PER_NAME, reason: tooMany(PER_NAME) })
  const groups = createRefusingLimiter({ perMinute: perGroup, reason: tooMany(perGroup) })

  // A separate limiter, so that responses do not reveal whether a secret is remembered.
  const recognitions = createRefusingLimiter({ perMinute: PER_NAME, reason: tooMany(PER_NAME) })

  const assertAllowed = async ({ name, group }: Attempt) => {
    if (group) await groups.assertAllowed(group.name)
    await names.assertAllowed(name)
  }
  const attemptOnce = async (attempt: Attempt) => {
    const { name, group, verify } = attempt
    await assertAllowed(attempt)
    const isCorrect = await verify()
    if (isCorrect) {
      await names.reset(name)
      if (group?.resetsOnSuccess) await groups.reset(group.name)
    } else {
      await names.record(name)
      if (group) await groups.record(group.name)
    }
    return isCorrect
  }
  /** Counts before it compares, so that concurrent attempts cannot exceed the limit. */
  const isRecognized = async ({ name, recognize }: Attempt): Promise<boolean> => {
    if (!recognize) return false
    const isAllowed = await recognitions.consume(name).then(
      () => true,
      () => false
    )
    if (!isAllowed || !recognize()) return false
    await Promise.all([recognitions.reset(name), names.reset(name)])
    return true
  }
  return async (attempt) => {
    if (await isRecognized(attempt)) return true
    // Attempts over the limit fail without waiting.
    await assertAllowed(attempt)
    return runDerivation({ caller: attempt.caller, work: () => attemptOnce(attempt) })
  }
}

/** The number of failed attempts per name and minute. */
const PER_NAME = 10

function tooMany(limit: number): string {
  return `too many failed attempts (limit: ${limit} per minute)`
}
