import { hash } from './hash.ts'
import type { Served } from './served.ts'
import { type Subject, toRolloutValue } from './subject.ts'

/** Seeds the seed: every target's own seed is the hash of its id with this one. */
const BASE_SEED = 1
/** The largest hash, so that fractions span [0, 1] with both ends. */
const MAX_HASH = 4294967295

/** The seed of every hash of one target (`evaluation.md` §3.2). */
export function seedOf(targetId: string): number {
  return hash(targetId, BASE_SEED)
}

/** Where in [0, 1] a value falls when a target's users are split among variations. */
export function bucketingHash(value: string, seed: number): number {
  return hash(value, seed) / MAX_HASH
}

/** Where in [0, 1] a value falls when a rollout admits users; independent of `bucketingHash`. */
export function rolloutHash(value: string, seed: number): number {
  return bucketingHash(toRolloutValue(value), seed)
}

/**
 * The text that is hashed for a user: `user_id`, or the custom attribute that the target names (`evaluation.md` §3.4).
 * Users without the attribute share the text `null`. Undefined when the user has no `user_id`.
 */
export function bucketingValue(subject: Subject, bucketingKey: string | undefined): string | undefined {
  if (!bucketingKey || bucketingKey === 'user_id') return subject.id
  return subject.hashedText(bucketingKey)
}

/** The text that is hashed for a user when a rollout admits users. */
export function rolloutValue(subject: Subject, bucketingKey: string | undefined): string | undefined {
  if (!bucketingKey || bucketingKey === 'user_id') return subject.rolloutId
  return toRolloutValue(bucketingValue(subject, bucketingKey) ?? '')
}

/** A variation's part of [0, 1]: from the range before it, up to but not including `upTo`. */
export interface Range {
  readonly variation: string
  readonly upTo: number
  /** What its users are given, made for the first of them, where `eval.details` is the same for all. */
  served: Served | undefined
  /** The same by details where that differs. */
  others: Map<string, Served> | undefined
}

/** Lays shares end to end, in descending order of variation id. They are not normalised: see `pick`. */
export function toRanges(shares: readonly { readonly _variation: string; readonly percentage: number }[]): Range[] {
  let upTo = 0
  return [...shares]
    .sort((a, b) => (a._variation < b._variation ? 1 : a._variation > b._variation ? -1 : 0))
    .map(({ _variation, percentage }) => {
      upTo += percentage
      return { variation: _variation, upTo, served: undefined, others: undefined }
    })
}

/** The range a position falls in; undefined when the shares do not reach that far. */
export function pick(ranges: readonly Range[], position: number): Range | undefined {
  let index = 0
  // Within bounds by the first condition.
  while (index < ranges.length && !reaches((ranges[index] as Range).upTo, position)) index++
  return ranges[index]
}

/** Whether a range goes as far as a position: up to its end, and where that is the end of all, including it. */
function reaches(upTo: number, position: number): boolean {
  return position < upTo || (upTo === 1 && position === 1)
}
