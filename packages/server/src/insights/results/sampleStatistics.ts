import { yieldToEventLoop } from '../../lib/time.ts'
import type { Attribution } from './attribution.ts'

/** What there is of a variation: of the users who got it, of those who did it, and of what they did. */
export interface SampleStatistics {
  readonly users: number
  /** How often it was served. */
  readonly evaluations: number
  readonly events: number
  /** How many of the events are those of the one user who has most. */
  readonly maxEventsPerUser: number
  /** The sum of all values. */
  readonly total: number
  /** The sum of each user's values, which is zero for those who did nothing. */
  readonly perUserSums: Moments
  /** The mean of each user's values, of those who did something. */
  readonly activeUserMeans: Moments
  /** How far values are from the mean of them all: the sum of the squares. */
  readonly eventSumOfSquares: number
  /** How far each user's sum is from as many events of the mean value: the sum of the squares. */
  readonly clusterSumOfSquares: number
}

/** How many there are, their mean, and the sum of the squares of how far they are from it. */
export interface Moments {
  readonly size: number
  readonly mean: number
  readonly sumOfSquares: number
}

/** What there is of each of so many variations at this moment. It goes through the rows twice, and lets others work in between. */
export async function computeSampleStatistics(
  outcomes: Attribution,
  variations: number
): Promise<readonly SampleStatistics[]> {
  const { evaluations, isAttributed } = outcomes
  const rows = outcomes.rows()
  const spreads = Array.from({ length: variations }, (_, place) => emptyStatistics(evaluations[place] ?? 0))
  const each = async (take: (spread: MutableStatistics, row: number) => void): Promise<void> => {
    for (let row = 0; row < rows.size; row++) {
      if (row % ROWS_AT_ONCE === ROWS_AT_ONCE - 1) await yieldToEventLoop()
      const spread = spreads[rows.place(row)]
      if (spread && isAttributed(row)) take(spread, row)
    }
  }
  await each((spread, row) => {
    const [count, mean] = [rows.count(row), rows.mean(row)]
    spread.events += count
    spread.maxEventsPerUser = Math.max(spread.maxEventsPerUser, count)
    spread.total += count * mean
    if (rows.isExposed(row)) {
      spread.users++
      add(spread.perUserSums, count * mean)
    }
    if (count > 0) add(spread.activeUserMeans, mean)
  })
  await each((spread, row) => {
    const [count, distance] = [rows.count(row), rows.mean(row) - spread.total / spread.events]
    if (count === 0) return
    spread.eventSumOfSquares += rows.sumOfSquares(row) + count * distance * distance
    spread.clusterSumOfSquares += (count * distance) ** 2
  })
  return spreads
}

/** Some milliseconds' worth. */
const ROWS_AT_ONCE = 65_536

/** The same, if no event counts and nobody got it. */
export function withoutUsers({ evaluations }: SampleStatistics): SampleStatistics {
  return emptyStatistics(evaluations)
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }
type MutableStatistics = Mutable<Omit<SampleStatistics, 'perUserSums' | 'activeUserMeans'>> & {
  readonly perUserSums: Mutable<Moments>
  readonly activeUserMeans: Mutable<Moments>
}

function emptyStatistics(evaluations: number): MutableStatistics {
  const nothing = { users: 0, events: 0, maxEventsPerUser: 0, total: 0, eventSumOfSquares: 0, clusterSumOfSquares: 0 }
  return { evaluations, ...nothing, perUserSums: emptyMoments(), activeUserMeans: emptyMoments() }
}

function emptyMoments(): Mutable<Moments> {
  return { size: 0, mean: 0, sumOfSquares: 0 }
}

/** Welford's method (1962). */
function add(moments: Mutable<Moments>, value: number): void {
  const distance = value - moments.mean
  moments.size++
  moments.mean += distance / moments.size
  moments.sumOfSquares += distance * (value - moments.mean)
}
