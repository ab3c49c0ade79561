import { hash } from 'node:crypto'
import type { Config, ContextUser, EvaluateOptions, Evaluator } from '@burgee/core'
import { type FlagResponse, fingerprintOf } from '@burgee/core/text'
import type { KeyConfig } from '../../../delivery/configs/keyConfig.ts'
import { memoizeByIdentity, setWithinLimit } from '../../../lib/object.ts'

/** A pending bulk evaluation. */
interface BulkEvaluation {
  readonly caller: Pick<KeyConfig, 'config' | 'evaluator'>
  readonly contextUser: ContextUser
  readonly options: EvaluateOptions & { readonly now: number }
  readonly evaluate: () => readonly FlagResponse[]
}

/**
 * The fingerprints of bulk evaluations by config and user, so that a poll whose result is unchanged evaluates nothing.
 * Users are digests: a user who is erased leaves nothing behind.
 */
export class BulkFingerprints {
  readonly #known = new Map<string, string>()

  /** Returns the fingerprint of an evaluation, which is evaluated only if it is unknown. */
  find(evaluation: BulkEvaluation): string {
    if (!dependsOnUserAlone(evaluation)) return fingerprintOf(evaluation.evaluate())
    const { caller, contextUser } = evaluation
    const key = `${idOf(caller.evaluator)} ${hash('sha256', JSON.stringify(contextUser.user), 'base64url')}`
    const known = this.#known.get(key)
    if (known !== undefined) {
      // The entry that was used last is removed last.
      this.#known.delete(key)
      this.#known.set(key, known)
      return known
    }
    const responses = evaluation.evaluate()
    const fingerprint = fingerprintOf(responses)
    // Failures are reported whenever they happen.
    const hasFailed = responses.some(({ flag }) => 'errorCode' in flag)
    if (!hasFailed) setWithinLimit(this.#known, MAX_FINGERPRINTS, key, fingerprint)
    return fingerprint
  }
}

/** An entry takes about 200 bytes. */
const MAX_FINGERPRINTS = 20_000

/** Whether the same evaluator gives the same results for this user at any later time. */
function dependsOnUserAlone({ caller, contextUser, options }: BulkEvaluation): boolean {
  return !contextUser.error && !options.overrides && options.now > lastRolloutDate(caller.config)
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
