import type { Condition } from '../conditions/evaluationState.ts'
import type { Conditions } from '../conditions/filter.ts'
import { prepareOperator } from '../conditions/operator.ts'
import type { PreparedOperator } from '../conditions/prepared.ts'
import type { JsonCursor } from '../json/jsonCursor.ts'
import { type Range, seedOf, toRanges } from './bucket.ts'
import { type PreparedRollout, prepareRollout } from './rollout.ts'

/** A prepared targeting rule. */
export interface PreparedTarget {
  /** The target to try after this one. A linked list saves two reads per hash compared with an array. */
  readonly next: PreparedTarget | undefined
  readonly id: string
  readonly name: string | undefined
  /** The conditions that are equivalent to `operator`, if there are such. */
  readonly conditions: Condition[] | undefined
  readonly operator: PreparedOperator
  /** The text of a match for `eval.details`; empty if it depends on the user. */
  readonly text: string
  readonly rollout: PreparedRollout | undefined
  readonly ranges: readonly Range[]
  /** The first range if it covers [0, 1]. It is served without hashing, so the user needs no id. */
  readonly soleRange: Range | undefined
  readonly bucketingKey: string | undefined
  readonly seed: number
  readonly reason: 'SPLIT' | 'TARGETING_MATCH'
  readonly prefix: string
}

/** Prepares a target. */
export function prepareTarget(
  cursor: JsonCursor,
  next: PreparedTarget | undefined,
  conditions: Conditions
): PreparedTarget {
  const id = cursor.at('_id').string()
  const shares = cursor
    .at('distribution')
    .items()
    .map((share) => ({ _variation: share.at('_variation').string(), percentage: share.at('percentage').number() }))
  // `null` includes every user, and still counts as a rollout in the reason and the details.
  const hasRollout = cursor.at('rollout').value !== undefined
  const isRandom = shares.length !== 1
  const ranges = toRanges(shares)
  const operator = prepareOperator(cursor.at('_audience').at('filters'), conditions)
  return {
    next,
    id,
    name: cursor.at('name').optionalString(),
    conditions: operator.conditions,
    operator,
    // With an empty text, `decide` uses the text of a target before this one.
    text: operator.text ?? '',
    rollout: prepareRollout(cursor.at('rollout')),
    ranges,
    soleRange: (ranges[0]?.upTo ?? 0) >= 1 ? ranges[0] : undefined,
    bucketingKey: cursor.at('bucketingKey').optionalString(),
    seed: seedOf(id),
    reason: isRandom || hasRollout ? 'SPLIT' : 'TARGETING_MATCH',
    prefix: `${isRandom ? 'Random Distribution | ' : ''}${hasRollout ? 'Rollout | ' : ''}`
  }
}
