import { hash } from 'node:crypto'
import type { Config, EvaluateOptions, Evaluator, User } from '@burgee/core'
import { problemCountOf } from '../../../delivery/configs/compileConfig.ts'
import type { KeyConfig } from '../../../delivery/configs/keyConfig.ts'
import { memoizeByIdentity, setWithinLimit } from '../../../lib/object.ts'

/** A pending evaluation of all features for a user. */
interface PendingEvaluation {
  readonly caller: Pick<KeyConfig, 'config' | 'evaluator'>
  /** The user with stored data and opt-in choices. */
  readonly user: User
  readonly options: EvaluateOptions & { readonly now: number }
  /** Distinguishes responses that differ for the same result. */
  readonly form?: string
  /** Evaluates, and returns the fingerprint of the response. */
  readonly evaluate: () => string
}

/**
 * The fingerprints of evaluations of all features by config and user, so that a poll whose result is unchanged
 * evaluates nothing. Users are digests: a user who is erased leaves nothing behind.
 */
export class ResultFingerprints {
  readonly #known = new Map<string, string>()

  /** Returns the fingerprint of an evaluation, which is evaluated only if it is unknown. */
  find(evaluation: PendingEvaluation): string {
    const { caller, user, form = '', evaluate } = evaluation
    if (!dependsOnUserAlone(evaluation)) return evaluate()
    const key = `${form}${idOf(caller.evaluator)} ${hash('sha256', JSON.stringify(user), 'base64url')}`
    const known = this.#known.get(key)
    if (known !== undefined) {
      // The entry that was used last is removed last.
      this.#known.delete(key)
      this.#known.set(key, known)
      return known
    }
    const problems = problemCountOf(caller.evaluator)
    const fingerprint = evaluate()
    // Problems are reported whenever they happen.
    const hasFailed = problemCountOf(caller.evaluator) > problems
    if (!hasFailed) setWithinLimit(this.#known, MAX_FINGERPRINTS, key, fingerprint)
    return fingerprint
  }
}

/** An entry takes about 200 bytes. */
const MAX_FINGERPRINTS = 20_000

/** Whether the same evaluator gives the same results for this user at any later time. */
function dependsOnUserAlone({ caller, user, options }: PendingEvaluation): boolean {
  return user.user_id !== undefined && !options.overrides && options.now > lastRolloutDate(caller.config)
}

/** Returns the last moment at which a rollout of a config changes, in epoch milliseconds. */
const lastRolloutDate = memoizeByIdentity(({ features }: Config): number => {
  const rollouts = features.flatMap(({ configuration }) =>
    configuration.targets.flatMap(({ rollout }) => rollout ?? [])
  )
  const dates = rollouts.flatMap(({ startDate, stages }) => [startDate, ...(stages ?? []).map(({ date }) => date)])
  return dates.reduce((last, date) => Math.max(last, Date.parse(date)), Number.NEGATIVE_INFINITY)
})

let evaluators = 0

/** Returns a number that identifies an evaluator, without preventing its garbage collection. */
const idOf = memoizeByIdentity((_: Evaluator): number => ++evaluators)
