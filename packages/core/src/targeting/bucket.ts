import { asString, bucketingAttribute, type UnvalidatedUser } from '../conditions/evaluationState.ts'
import { hash } from './hash.ts'
import type { Served } from './served.ts'

/** Returns the seed of a target's hashes (docs/reference/evaluation.md, Hashing and buckets). */
export function seedOf(targetId: string): number {
  return hash(targetId, 1)
}

/** Returns the position in [0, 1], both ends included, that decides which variation of a distribution a value gets. */
export function bucketingHash(value: string, seed: number): number {
  return (hash(value, seed) >>> 0) / 0xffffffff
}

/** Returns the position in [0, 1] that decides whether a rollout includes a value. Independent of `bucketingHash`. */
export function rolloutHash(value: string, seed: number): number {
  if (value !== lastValue) {
    lastValue = value
    // `join` makes a flat string. Concatenation makes a rope, which V8 would flatten on each character access.
    lastInput = [value, '_rollout'].join('')
  }
  return bucketingHash(lastInput, seed)
}

/** The last value with a rollout, and its hash input, which an evaluation of all flags needs many times. */
let lastValue: string | undefined
let lastInput = ''

/**
 * Returns the hash input of a user: `user_id`, or the custom attribute that the target names. Users without the
 * attribute share the input `null`. Returns undefined if `user_id` is needed and missing.
 */
export function bucketingValue(user: UnvalidatedUser, bucketingKey: string | undefined): string | undefined {
  if (!bucketingKey || bucketingKey === 'user_id') return asString(user.user_id)
  return bucketingAttribute(user, bucketingKey)
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
      // `upTo` is first: after another property, V8 kept thousands of ranges in dictionary mode, at 570 bytes each.
      return { upTo, variation: _variation, served: undefined, byDetails: undefined }
    })
}

/** Returns the range at a position, or undefined if the shares add up to less. */
export function rangeAt(ranges: readonly Range[], position: number): Range | undefined {
  // The range that ends at 1 includes position 1, which the largest number below 1 replaces here.
  const least = Math.min(position, 1 - Number.EPSILON / 2)
  let index = 0
  // The loop's condition keeps the index within bounds.
  while (index < ranges.length && least >= (ranges[index] as Range).upTo) index++
  return ranges[index]
}
