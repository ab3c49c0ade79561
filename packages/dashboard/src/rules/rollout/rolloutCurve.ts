import { rolloutState } from '@burgee/contract/words'
import { type CurvePoint, type RolloutDraft, rolloutRows, toRollout } from './rolloutDraft.ts'
import { rolloutProblems } from './rolloutProblems.ts'

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
          { at, share: rolloutState(rollout, at - 1).share },
          { at, share }
        ]
      : [{ at, share }]
  )
  const inside = points.filter(({ at }) => at > from && at < to)
  return [
    { at: from, share: rolloutState(rollout, from).share },
    ...inside,
    { at: to, share: rolloutState(rollout, to).share }
  ]
}

/** Returns the moments from which to which the curve is drawn: all dates and now, and a tenth more on both sides. */
export function curveRange(draft: RolloutDraft, now: number): readonly [from: number, to: number] {
  const moments = [now, ...rolloutRows(draft, now).map(({ at }) => at)].filter((at) => !Number.isNaN(at))
  const [first, last] = [Math.min(...moments), Math.max(...moments)]
  const margin = Math.max(HOUR, (last - first) / 10)
  return [first - margin, last + margin]
}

const HOUR = 3_600_000
