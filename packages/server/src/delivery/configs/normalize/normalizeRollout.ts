import type { Rollout, RolloutStage } from '@burgee/core'

/**
 * Rewrites a rollout so that every engine interprets it in the same way: dates in UTC with milliseconds, stages in
 * order of time, and a linear stage that starts above 0 as steps of at most one percent, because engines of existing
 * SDKs interpolate from 0. See docs/reference/config-document.md#rewritten-for-every-engine.
 */
export function normalizeRollout(rollout: Rollout): Rollout {
  const { type, startDate, startPercentage = 0, stages = [] } = rollout
  const isReadable = [startDate, ...stages.map(({ date }) => date)].every((date) => !Number.isNaN(Date.parse(date)))
  // `compile` rejects invalid dates and names their position.
  if (!isReadable) return rollout
  const start = toDate(Date.parse(startDate))
  if (type === 'schedule') return { type, startDate: start }
  const ordered = [...stages].sort((a, b) => Date.parse(a.date) - Date.parse(b.date))
  return {
    type,
    startDate: start,
    startPercentage,
    stages: ordered.flatMap((stage, index) => {
      const from = ordered[index - 1] ?? { date: startDate, percentage: startPercentage }
      return stage.type === 'linear' && from.percentage > 0 ? steps(from, stage) : [toStage(stage)]
    })
  }
}

function steps(from: Pick<RolloutStage, 'date' | 'percentage'>, to: RolloutStage): RolloutStage[] {
  const rise = to.percentage - from.percentage
  const begin = Date.parse(from.date)
  // In binary, 0.8 - 0.7 is slightly more than ten steps.
  const count = Math.max(1, Math.ceil(Math.abs(rise) * 100 - 1e-9))
  return Array.from({ length: count }, (_, index) => {
    const share = (index + 1) / count
    return {
      type: 'discrete',
      date: toDate(begin + (Date.parse(to.date) - begin) * share),
      percentage: index + 1 === count ? to.percentage : from.percentage + rise * share
    }
  })
}

function toStage({ type, date, percentage }: RolloutStage): RolloutStage {
  return { type, date: toDate(Date.parse(date)), percentage }
}

function toDate(time: number): string {
  return new Date(time).toISOString()
}
