import type { TargetInput } from '@burgee/contract/schemas'
import type { DiffContext } from './model.ts'

/** Describes a rollout with its stages, for example "20% from 1 Mar, rising to 100% on 8 Mar". */
export function describeRollout(rollout: TargetInput['rollout'], context: DiffContext): string {
  if (!rollout) return 'everyone'
  const { locale = 'en-GB', timeZone } = context
  const dates = new Intl.DateTimeFormat(locale, {
    dateStyle: 'medium',
    timeStyle: 'short',
    ...(timeZone ? { timeZone } : {})
  })
  const shares = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 })
  const date = (value: string) => (Number.isNaN(Date.parse(value)) ? value : dates.format(new Date(value)))
  const { type, startDate, startPercentage = 1, stages = [] } = rollout
  if (type === 'schedule') return `everyone from ${date(startDate)}`
  const shareAt = [startPercentage, ...stages.map(({ percentage }) => percentage)]
  const steps = stages.map(({ type: kind, percentage, date: at }, index) =>
    kind === 'linear'
      ? `${percentage < (shareAt[index] ?? 0) ? 'falling' : 'rising'} to ${shares.format(percentage)} on ${date(at)}`
      : `${shares.format(percentage)} from ${date(at)}`
  )
  return [`${shares.format(startPercentage)} from ${date(startDate)}`, ...steps].join(', ')
}
