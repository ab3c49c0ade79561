import { type Serializer, serialize } from '@burgee/kit'
import { rateLimited } from '../../lib/errors.ts'
import { createRefusingLimiter } from '../../lib/rateLimiter.ts'

/** An attempt to authenticate with a secret. */
interface Attempt {
  /** The key of the limit, as in `client deploy from 10.0.0.1`. See docs/reference/management.md#failed-attempts. */
  readonly name: string
  /** A wider limit for attempts of many names. */
  readonly group?: {
    readonly name: string
    /** Whether a successful attempt clears the failed attempts of the group. */
    readonly resetsOnSuccess: boolean
  }
  /** Returns whether the secret is correct. */
  readonly verify: () => Promise<boolean>
}

/**
 * Verifies a secret and counts failures.
 * @throws {HttpError} 429 after too many failed attempts, or while too many wait.
 */
export type LimitedVerification = (attempt: Attempt) => Promise<boolean>

/**
 * Creates the limits of one kind of secret. Attempts of one group, or of one name without a group, run one after
 * another, so that concurrent attempts cannot exceed a limit.
 */
export function createLimitedVerification(): LimitedVerification {
  const names = createRefusingLimiter({ perMinute: PER_NAME, reason: tooMany(PER_NAME) })
  const groups = createRefusingLimiter({ perMinute: PER_GROUP, reason: tooMany(PER_GROUP) })
  const queues = new Map<string, { readonly run: Serializer; size: number }>()
  let pending = 0

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
  return async (attempt) => {
    if (pending >= MAX_PENDING)
      throw rateLimited(`too many pending attempts (limit: ${MAX_PENDING}); retry in 1 s`, 1000)
    pending++
    const key = attempt.group?.name ?? attempt.name
    const queue = queues.get(key) ?? { run: serialize(), size: 0 }
    queues.set(key, queue)
    queue.size++
    try {
      // Attempts over the limit fail without waiting.
      await assertAllowed(attempt)
      return await queue.run(() => attemptOnce(attempt))
    } finally {
      pending--
      if (--queue.size === 0) queues.delete(key)
    }
  }
}

/** The number of failed attempts per name and minute. */
const PER_NAME = 10

/** The number of failed attempts per group and minute. */
const PER_GROUP = 100

/** The maximum number of pending attempts; each takes about 40 ms. */
const MAX_PENDING = 64

function tooMany(limit: number): string {
  return `too many failed attempts (limit: ${limit} per minute)`
}
