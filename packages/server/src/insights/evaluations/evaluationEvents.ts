import { type EvaluationEventType, evaluationEventTypes, type TrackedEvent } from '../../storage/events/eventEntry.ts'

/** What an event tells of evaluations; undefined where it tells of something else. */
export function findEvaluationKind({ type }: Pick<TrackedEvent, 'type'>): EvaluationEventType | undefined {
  return evaluationEventTypes.get(type)
}

/** The most evaluations that one event can tell of: more than any process makes between two reports, and little enough that sums stay exact. */
export const MAX_EVALUATIONS_PER_EVENT = 1_000_000_000

/** The same with a key that everybody has: more than any page or app makes. */
export const MAX_PUBLIC_EVALUATIONS_PER_EVENT = 1_000_000

/** What is wrong with an event that tells of evaluations; undefined where nothing is, and for other events. */
export function validateEvaluationEvent(event: TrackedEvent, maxCount: number): string | undefined {
  const kind = findEvaluationKind(event)
  if (!kind) return undefined
  const { type, target, value = 1 } = event
  // Of none, it says only what the user got: somebody else counts the evaluations.
  const least = kind.isOfUser ? 0 : 1
  if (!target) return `target should be the key of the variable in an event of type "${type}"`
  if (Number.isInteger(value) && value >= least && value <= maxCount) return undefined
  return `value should be a whole number from ${least} to ${maxCount} in an event of type "${type}", got ${value}`
}
