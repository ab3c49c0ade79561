import { JsonCursor } from '../json/jsonCursor.ts'
import type { Rollout } from '../types/target.ts'

/** A prepared rollout. Dates are epoch milliseconds. */
export interface PreparedRollout {
  readonly type: string
  readonly startDate: number
  /** The stage from the start until the first stage begins; undefined without a `startPercentage`. */
  readonly start: PreparedStage | undefined
  readonly stages: readonly PreparedStage[]
}

interface PreparedStage {
  readonly type: string
  readonly date: number
  readonly percentage: number
}

/**
 * Returns the share of users, from 0 to 1, that a rollout includes at a time (docs/reference/evaluation.md, Rollouts).
 * Returns undefined if the rollout lacks its `startPercentage`.
 */
export function percentageAt(rollout: PreparedRollout, now: number): number | undefined {
  if (rollout.type === 'schedule') return now >= rollout.startDate ? 1 : 0
  if (!rollout.start) return undefined
  let current: PreparedStage | undefined
  let next: PreparedStage | undefined
  // Array order counts, not the order of dates: the current stage is the last in the array that has begun.
  for (const stage of rollout.stages) {
    if (stage.date <= now) current = stage
    else next ??= stage
  }
  if (!current && rollout.startDate < now) current = rollout.start
  if (!current) return 0
  if (!next || next.type === 'discrete') return current.percentage
  const progress = (now - current.date) / (next.date - current.date)
  // At the exact start of a linear stage, the reference engine returns 0 regardless of the previous percentage.
  return progress === 0 ? 0 : current.percentage + (next.percentage - current.percentage) * progress
}

/** Returns the share of its audience, from 0 to 1, that a target with this rollout includes at a time. */
export function admittedShare(rollout: Rollout | null | undefined, now: number): number {
  const prepared = prepareRollout(new JsonCursor(rollout))
  return prepared ? (percentageAt(prepared, now) ?? 0) : 1
}

/** Returns whether a rollout at this percentage includes a user at this position. 0 includes no position, not even 0. */
export function includesPosition(percentage: number, position: number): boolean {
  return percentage !== 0 && position <= percentage
}

/** Prepares a rollout. Returns undefined for `null` or a missing one. */
export function prepareRollout(cursor: JsonCursor): PreparedRollout | undefined {
  if (cursor.isAbsent()) return undefined
  const type = cursor.at('type').string()
  const startDate = cursor.at('startDate').date()
  const startPercentage = cursor.at('startPercentage')
  const stages = cursor.at('stages')
  return {
    type,
    startDate,
    start: startPercentage.isAbsent() ? undefined : { type, date: startDate, percentage: startPercentage.number() },
    stages: stages.isAbsent()
      ? []
      : stages.items().map((stage) => ({
          type: stage.at('type').string(),
          date: stage.at('date').date(),
          percentage: stage.at('percentage').number()
        }))
  }
}
