import { type EvaluationState, toRolloutValue } from '../conditions/evaluationState.ts'
import { hash } from './hash.ts'
import type { Served } from './served.ts'

/** The seed for hashing a target's id. The result is the seed of all other hashes of that target. */
const BASE_SEED = 1
/** The largest hash. Dividing by it yields [0, 1], both ends included. */
const MAX_HASH = 4294967295

/** Returns the seed of a target's hashes (docs/reference/evaluation.md, Hashing and buckets). */
export function seedOf(targetId: string): number {
  return hash(targetId, BASE_SEED)
}

/** Returns the position in [0, 1] that decides which variation of a distribution a value gets. */
export function bucketingHash(value: string, seed: number): number {
  return hash(value, seed) / MAX_HASH
}

/** Returns the position in [0, 1] that decides whether a rollout includes a value. Independent of `bucketingHash`. */
export function rolloutHash(value: string, seed: number): number {
  return bucketingHash(toRolloutValue(value), seed)
}

/**
 * Returns the hash input of a user: `user_id`, or the custom attribute that the target names. Users without the
 * attribute share the input `null`. Returns undefined if `user_id` is needed and missing.
 */
export function bucketingValue(state: EvaluationState, bucketingKey: string | undefined): string | undefined {
  if (!bucketingKey || bucketingKey === 'user_id') return state.id
  return state.bucketingAttribute(bucketingKey)
}

/** Returns the hash input of a user for rollouts. */
export function rolloutValue(state: EvaluationState, bucketingKey: string | undefined): string | undefined {
  if (!bucketingKey || bucketingKey === 'user_id') return state.rolloutId
  return toRolloutValue(bucketingValue(state, bucketingKey) ?? '')
}

/** A variation's part of [0, 1]: from the end of the range before it up to `upTo`, exclusive. */
export interface Range {
  readonly variation: string
  readonly upTo: number
  /** The cached result for the users of this range, if `eval.details` is the same for all of them. */
  served: Served | undefined
  /** The cached results by `eval.details`, if it differs between users. */
  byDetails: Map<string, Served> | undefined
}

/** Lays shares end to end, in descending order of variation id. Their sum is not normalized to 1; see `rangeAt`. */
export function toRanges(shares: readonly { readonly _variation: string; readonly percentage: number }[]): Range[] {
  let upTo = 0
  return [...shares]
    .sort((a, b) => (a._variation < b._variation ? 1 : a._variation > b._variation ? -1 : 0))
    .map(({ _variation, percentage }) => {
      upTo += percentage
      return { variation: _variation, upTo, served: undefined, byDetails: undefined }
    })
}

/** Returns the range at a position, or undefined if the shares add up to less. */
export function rangeAt(ranges: readonly Range[], position: number): Range | undefined {
  let index = 0
  // The loop's condition keeps the index within bounds.
  while (index < ranges.length && !endsAfter((ranges[index] as Range).upTo, position)) index++
  return ranges[index]
}

/** Returns whether a range ends after a position. The end 1 includes position 1. */
function endsAfter(upTo: number, position: number): boolean {
  return position < upTo || (upTo === 1 && position === 1)
}
