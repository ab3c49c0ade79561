import { hash } from 'node:crypto'
import type { Config, EvaluateOptions, Evaluator, User } from '@burgee/core'
import { getProblemCount } from '../../../delivery/configs/compileConfig.ts'
import type { KeyConfig } from '../../../delivery/configs/keyConfig.ts'
import { memoizeByIdentity, setWithinLimit } from '../../../lib/object.ts'

/** A pending evaluation of all features for a user. */
interface PendingEvaluation {
  readonly caller: Pick<KeyConfig, 'config' | 'evaluator'>
  /** The user with stored data and opt-in choices. */
  readonly user: User
  readonly options: EvaluateOptions & { readonly now: number }
  /** Distinguishes representations of the same result, such as obfuscated ones. */
  readonly variant?: string
  /** Evaluates, and returns the fingerprint of the response. */
  readonly evaluate: () => string
}

/**
 * Caches fingerprints of evaluations of all features by config and user, so that a poll whose result is unchanged
 * evaluates nothing. Users are stored as digests, so the data of an erased user does not remain.
 */
export class ResultFingerprints {
  readonly #known = new Map<string, string>()

  /** Returns the fingerprint of an evaluation, and evaluates only if it is not cached. */
  find(evaluation: PendingEvaluation): string {
    const { caller, user, variant = '', evaluate } = evaluation
    if (!dependsOnUserAlone(evaluation)) return evaluate()
    const key = `${variant}${idOf(caller.evaluator)} ${hash('sha256', JSON.stringify(user), 'base64url')}`
    const known = this.#known.get(key)
    if (known !== undefined) {
      // The entry that was used last is removed last.
      this.#known.delete(key)
      this.#known.set(key, known)
      return known
    }
    const problems = getProblemCount(caller.evaluator)
    const fingerprint = evaluate()
    // Not cached, so that each evaluation reports its problems.
    const hasProblem = getProblemCount(caller.evaluator) > problems
    if (!hasProblem) setWithinLimit(this.#known, MAX_FINGERPRINTS, key, fingerprint)
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
