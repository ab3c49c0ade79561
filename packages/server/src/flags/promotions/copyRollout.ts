import type { CreatePromotion } from '@burgee/contract/schemas'
import type { Rollout } from '@burgee/core'
import { preconditionFailed } from '../../lib/errors.ts'
import { toIsoString } from '../../lib/time.ts'

interface CopyOptions {
  readonly mode: NonNullable<CreatePromotion['rollouts']>
  /** Epoch milliseconds. */
  readonly now: number
  /** The name of the target in messages. */
  readonly target: string
}

/** Copies a rollout. @throws {HttpError} 412 if it is unfinished and the mode refuses that. */
export function copyRollout(rollout: Rollout, { mode, now, target }: CopyOptions): Rollout | undefined {
  if (endOf(rollout) <= now || mode === 'keep') return rollout
  if (mode === 'drop') return undefined
  if (mode === 'shift') return shiftTo(rollout, now)
  throw preconditionFailed(
    `the rollout of target "${target}" ends at ${toIsoString(endOf(rollout))}: set rollouts to keep, shift or drop`
  )
}

/** The time of the last stage. */
function endOf({ type, startDate, stages = [] }: Rollout): number {
  const dates = type === 'schedule' ? [] : stages.map(({ date }) => Date.parse(date))
  return Math.max(Date.parse(startDate), ...dates)
}

/** Moves the start to a time and keeps the intervals between the stages. */
function shiftTo(rollout: Rollout, start: number): Rollout {
  const offset = start - Date.parse(rollout.startDate)
  const shifted = (date: string) => toIsoString(Date.parse(date) + offset)
  const { stages } = rollout
  return {
    ...rollout,
    startDate: shifted(rollout.startDate),
    ...(stages ? { stages: stages.map((stage) => ({ ...stage, date: shifted(stage.date) })) } : {})
  }
}
