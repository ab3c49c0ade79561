import { type Range, seedOf, toRanges } from './bucket.ts'
import { type PreparedOperator, prepareOperator } from './operator.ts'
import type { Place } from './place.ts'
import { type PreparedRollout, readRollout } from './rollout.ts'
import type { Condition, Conditions } from './subject.ts'

/** A targeting rule with everything that does not depend on the user worked out. */
export interface PreparedTarget {
  /** The target to try after this one. Chained, because a list takes two reads more on the way to each hash. */
  readonly next: PreparedTarget | undefined
  readonly id: string
  readonly name: string | undefined
  /** What tells whom it is for: one condition, or where it takes more than that, the operator. */
  readonly condition: Condition | undefined
  readonly operator: PreparedOperator
  /** What decided, in `eval.details`, of whomever it is for; empty when that depends on the user. */
  readonly text: string
  readonly rollout: PreparedRollout | undefined
  readonly ranges: readonly Range[]
  /** The first range if it is everybody's: then no hash has to choose among them, and that takes no user id. */
  readonly everybodys: Range | undefined
  readonly bucketingKey: string | undefined
  readonly seed: number
  readonly reason: 'SPLIT' | 'TARGETING_MATCH'
  /** What `eval.details` begins with. */
  readonly prefix: string
}

/** Prepares a target. */
export function prepareTarget(place: Place, next: PreparedTarget | undefined, conditions: Conditions): PreparedTarget {
  const id = place.at('_id').string()
  const shares = place
    .at('distribution')
    .items()
    .map((share) => ({ _variation: share.at('_variation').string(), percentage: share.at('percentage').number() }))
  // A rollout that is there but null admits everybody and still makes the reason a split (`evaluation.md` §6.2).
  const hasRollout = place.at('rollout').value !== undefined
  const isRandom = shares.length !== 1
  const ranges = toRanges(shares)
  const operator = prepareOperator(place.at('_audience').at('filters'), conditions)
  return {
    next,
    id,
    name: place.at('name').optionalString(),
    condition: operator.condition,
    operator,
    // No text at all leaves room for that of a target before it; see `decide`.
    text: operator.text ?? '',
    rollout: readRollout(place.at('rollout')),
    ranges,
    everybodys: ranges[0] && ranges[0].upTo >= 1 ? ranges[0] : undefined,
    bucketingKey: place.at('bucketingKey').optionalString(),
    // The same 32 bits as a signed number: an unsigned one may not fit where the JavaScript engine keeps small numbers.
    seed: seedOf(id) | 0,
    reason: isRandom || hasRollout ? 'SPLIT' : 'TARGETING_MATCH',
    prefix: `${isRandom ? 'Random Distribution | ' : ''}${hasRollout ? 'Rollout | ' : ''}`
  }
}
