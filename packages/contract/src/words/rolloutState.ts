import { list, members, number, text } from './data.ts'

/** The share of users that a rollout includes at a time. */
export interface RolloutState {
  /** The share of the matching users, from 0 to 1. */
  readonly share: number
  /** Steady as well if it both rises and falls from now on. */
  readonly trend: 'rising' | 'falling' | 'steady'
  /** The start, in epoch milliseconds, if it is in the future. */
  readonly startsAt?: number
  /** The share that the rollout ends at, and when, if it still changes. A step changes at once, at this time. */
  readonly end?: { readonly share: number; readonly date: number; readonly isStep?: boolean }
}

/**
 * Returns the share that a rollout includes at `now`, in epoch milliseconds. Without a rollout, it is 1. It is the share
 * that evaluation admits, except at the exact millisecond at which a gradual rollout or a linear stage starts: there,
 * evaluation admits nobody.
 */
export function rolloutState(rollout: unknown, now: number): RolloutState {
  if (rollout === undefined || rollout === null) return { share: 1, trend: 'steady' }
  const { type, startDate, startPercentage, stages } = members(rollout)
  const start = Date.parse(text(startDate) ?? '')
  const first = type === 'schedule' ? 1 : number(startPercentage)
  const points = (type === 'schedule' ? [] : list(stages)).map((stage) => {
    const { date, percentage, type: kind } = members(stage)
    return { date: Date.parse(text(date) ?? ''), share: number(percentage), isLinear: kind === 'linear' }
  })
  const later = points.filter(({ date }) => date > now)
  const last = points.at(-1)
  const end = last && { share: last.share, date: last.date, isStep: !last.isLinear && later.length === 1 }
  // An invalid start date is never reached.
  if (!(now >= start)) {
    return {
      share: 0,
      trend: 'steady',
      ...(Number.isNaN(start) ? {} : { startsAt: start }),
      ...(end && !Number.isNaN(end.date) ? { end } : {})
    }
  }
  const begun = points.findLast(({ date }) => date <= now)
  const [next] = later
  const from = begun ?? { date: start, share: first }
  const share = next?.isLinear
    ? from.share + (next.share - from.share) * ((now - from.date) / (next.date - from.date))
    : from.share
  const moves = later.map((point, index) => Math.sign(point.share - (later[index - 1]?.share ?? share)))
  const rises = moves.includes(1)
  const falls = moves.includes(-1)
  if (!end || !(rises || falls)) return { share, trend: 'steady' }
  const trend = rises === falls ? 'steady' : rises ? 'rising' : 'falling'
  return { share, trend, end }
}
