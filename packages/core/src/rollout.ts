import type { Place } from './place.ts'

/** A rollout with its dates as epoch milliseconds. */
export interface PreparedRollout {
  readonly type: string
  readonly startDate: number
  /** What it admits from the start until a stage begins, if the document says so. */
  readonly start: PreparedStage | undefined
  readonly stages: readonly PreparedStage[]
}

interface PreparedStage {
  readonly type: string
  readonly date: number
  readonly percentage: number
}

/** The share of users, a fraction of 1, that a rollout admits at a time; undefined when the rollout lacks its `startPercentage` (`evaluation.md` §4.1). */
export function percentageAt(rollout: PreparedRollout, now: number): number | undefined {
  if (rollout.type === 'schedule') return now >= rollout.startDate ? 1 : 0
  if (!rollout.start) return undefined
  let current: PreparedStage | undefined
  let next: PreparedStage | undefined
  // Stages count in list order, not in order of date: the last one that has begun is the current one.
  for (const stage of rollout.stages) {
    if (stage.date <= now) current = stage
    else next ??= stage
  }
  if (!current && rollout.startDate < now) current = rollout.start
  if (!current) return 0
  if (!next || next.type === 'discrete') return current.percentage
  const progress = (now - current.date) / (next.date - current.date)
  // At the very start of a linear stage the reference engine answers 0, whatever the stage before reached.
  return progress === 0 ? 0 : current.percentage + (next.percentage - current.percentage) * progress
}

/** Whether a rollout at this percentage admits the user at this position. Nobody is admitted at 0, not even position 0. */
export function admits(percentage: number, position: number): boolean {
  return percentage !== 0 && position <= percentage
}

/** Reads a rollout; `null` and absence both mean there is none. */
export function readRollout(place: Place): PreparedRollout | undefined {
  if (place.isAbsent()) return undefined
  const type = place.at('type').string()
  const startDate = place.at('startDate').date()
  const startPercentage = place.at('startPercentage')
  const stages = place.at('stages')
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
