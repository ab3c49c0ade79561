import type { Rollout } from '@burgee/contract/schemas'
import { type CurvePoint, type RolloutDraft, rolloutRows, toRollout } from './rolloutDraft.ts'
import { rolloutProblems } from './rolloutProblems.ts'

/**
 * Returns the share of users, from 0 to 1, that a rollout admits at a moment (docs/reference/evaluation.md, Rollouts),
 * without the share of 0 at the exact millisecond at which a linear stage begins.
 */
export function shareAt(rollout: Rollout | null | undefined, moment: number): number {
  if (!rollout) return 1
  const start = Date.parse(rollout.startDate)
  if (rollout.type === 'schedule') return moment >= start ? 1 : 0
  let current = start <= moment ? { date: start, percentage: rollout.startPercentage ?? 0 } : undefined
  for (const stage of rollout.stages ?? []) {
    const date = Date.parse(stage.date)
    if (date <= moment) {
      current = { date, percentage: stage.percentage }
      continue
    }
    if (!current || stage.type === 'discrete') break
    const progress = (moment - current.date) / (date - current.date)
    return current.percentage + (stage.percentage - current.percentage) * progress
  }
  return current?.percentage ?? 0
}

/**
 * Returns the vertices of the curve from `from` to `to` in epoch milliseconds. Returns none while a date of the draft is
 * missing or the dates are not in order.
 */
export function rolloutCurve(draft: RolloutDraft, from: number, to: number): readonly CurvePoint[] {
  if (rolloutProblems(draft).some(({ field }) => field === 'date')) return []
  const rollout = toRollout(draft)
  const points = rolloutRows(draft, from).flatMap(({ at, share, change }): CurvePoint[] =>
    change === 'jump'
      ? [
          { at, share: shareAt(rollout, at - 1) },
          { at, share }
        ]
      : [{ at, share }]
  )
  const inside = points.filter(({ at }) => at > from && at < to)
  return [{ at: from, share: shareAt(rollout, from) }, ...inside, { at: to, share: shareAt(rollout, to) }]
}

/** Returns the moments from which to which the curve is drawn: all dates and now, and a tenth more on both sides. */
export function curveRange(draft: RolloutDraft, now: number): readonly [from: number, to: number] {
  const moments = [now, ...rolloutRows(draft, now).map(({ at }) => at)].filter((at) => !Number.isNaN(at))
  const [first, last] = [Math.min(...moments), Math.max(...moments)]
  const margin = Math.max(HOUR, (last - first) / 10)
  return [first - margin, last + margin]
}

const HOUR = 3_600_000
