import { list, members, number, text } from './data.ts'

/** The share of users that a rollout includes at a time. */
export interface RolloutState {
  /** The share of the matching users, from 0 to 1. */
  readonly share: number
  /** Steady as well if it both rises and falls from now on. */
  readonly trend: 'rising' | 'falling' | 'steady'
  /** The start, in epoch milliseconds, if it is in the future. */
  readonly startsAt?: number
  /** The share that the rollout ends at, and when, if it still changes. */
  readonly end?: { readonly share: number; readonly date: number }
}

const EVERYONE: RolloutState = { share: 1, trend: 'steady' }

/**
 * Returns the share that a rollout includes at `now`, in epoch milliseconds. Without a rollout, it is 1. It is the share
 * that evaluation admits, except at the exact millisecond at which a gradual rollout or a linear stage starts: there,
 * evaluation admits nobody.
 */
export function rolloutState(rollout: unknown, now: number): RolloutState {
  if (rollout === undefined || rollout === null) return EVERYONE
  const { type, startDate, startPercentage, stages } = members(rollout)
  const start = Date.parse(text(startDate) ?? '')
  const first = type === 'schedule' ? 1 : number(startPercentage)
  const points = (type === 'schedule' ? [] : list(stages)).map((stage) => {
    const { date, percentage, type: kind } = members(stage)
    return { date: Date.parse(text(date) ?? ''), share: number(percentage), isLinear: kind === 'linear' }
  })
  const last = points.at(-1)
  // An invalid start date is never reached.
  if (!(now >= start)) {
    const end = last && !Number.isNaN(last.date) ? { end: { share: last.share, date: last.date } } : {}
    return { share: 0, trend: 'steady', ...(Number.isNaN(start) ? {} : { startsAt: start }), ...end }
  }
  const begun = points.findLast(({ date }) => date <= now)
  const next = points.find(({ date }) => date > now)
  const from = begun ?? { date: start, share: first }
  const share = next?.isLinear
    ? from.share + (next.share - from.share) * ((now - from.date) / (next.date - from.date))
    : from.share
  const shares = [{ share }, ...points.filter(({ date }) => date > now)].map((point) => point.share)
  const rises = shares.some((later, index) => later > (shares[index - 1] ?? later))
  const falls = shares.some((later, index) => later < (shares[index - 1] ?? later))
  if (!last || !(rises || falls)) return { share, trend: 'steady' }
  const trend = rises === falls ? 'steady' : rises ? 'rising' : 'falling'
  return { share, trend, end: { share: last.share, date: last.date } }
}
