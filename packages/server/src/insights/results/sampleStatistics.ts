import { yieldToEventLoop } from '../../lib/time.ts'
import type { Attribution } from './attribution.ts'

/** The sample statistics of one variation. */
export interface SampleStatistics {
  /** The number of users who got the variation. */
  readonly users: number
  /** How often the variation was served. */
  readonly evaluations: number
  readonly events: number
  /** The number of events of the user with the most events. */
  readonly maxEventsPerUser: number
  /** The sum of all values. */
  readonly total: number
  /** Over the users who got the variation: the sum of each user's values, 0 without events. */
  readonly perUserSums: Moments
  /** Over the users with events: the mean of each user's values. */
  readonly activeUserMeans: Moments
  /** The sum of squared deviations of the values from their mean. */
  readonly eventSumOfSquares: number
  /** The sum, over users, of the squared deviation of the user's sum from as many events of the mean value. */
  readonly clusterSumOfSquares: number
}

/** The size and mean of a sample, and the sum of squared deviations from the mean. */
export interface Moments {
  readonly size: number
  readonly mean: number
  readonly sumOfSquares: number
}

/** Computes the statistics of each variation in two passes over the rows, and yields to the event loop in between. */
export async function computeSampleStatistics(
  attribution: Attribution,
  variations: number
): Promise<readonly SampleStatistics[]> {
  const { evaluations, isAttributed } = attribution
  const rows = attribution.rows()
  const samples = Array.from({ length: variations }, (_, index) => emptyStatistics(evaluations[index] ?? 0))
  const forEachRow = async (visit: (sample: MutableStatistics, row: number) => void): Promise<void> => {
    for (let row = 0; row < rows.size; row++) {
      if (row % ROWS_PER_SLICE === ROWS_PER_SLICE - 1) await yieldToEventLoop()
      const sample = samples[rows.variation(row)]
      if (sample && isAttributed(row)) visit(sample, row)
    }
  }
  await forEachRow((sample, row) => {
    const [count, mean] = [rows.count(row), rows.mean(row)]
    sample.events += count
    sample.maxEventsPerUser = Math.max(sample.maxEventsPerUser, count)
    sample.total += count * mean
    if (rows.isExposed(row)) {
      sample.users++
      add(sample.perUserSums, count * mean)
    }
    if (count > 0) add(sample.activeUserMeans, mean)
  })
  await forEachRow((sample, row) => {
    const [count, deviation] = [rows.count(row), rows.mean(row) - sample.total / sample.events]
    if (count === 0) return
    sample.eventSumOfSquares += rows.sumOfSquares(row) + count * deviation * deviation
    sample.clusterSumOfSquares += (count * deviation) ** 2
  })
  return samples
}

/** A few milliseconds of work. */
const ROWS_PER_SLICE = 65_536

/** Returns the statistics without users and their events; evaluations stay. */
export function withoutUsers({ evaluations }: SampleStatistics): SampleStatistics {
  return emptyStatistics(evaluations)
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }
type MutableStatistics = Mutable<Omit<SampleStatistics, 'perUserSums' | 'activeUserMeans'>> & {
  readonly perUserSums: Mutable<Moments>
  readonly activeUserMeans: Mutable<Moments>
}

function emptyStatistics(evaluations: number): MutableStatistics {
  const zeros = { users: 0, events: 0, maxEventsPerUser: 0, total: 0, eventSumOfSquares: 0, clusterSumOfSquares: 0 }
  return { evaluations, ...zeros, perUserSums: emptyMoments(), activeUserMeans: emptyMoments() }
}

function emptyMoments(): Mutable<Moments> {
  return { size: 0, mean: 0, sumOfSquares: 0 }
}

/** Welford's method (1962). */
function add(moments: Mutable<Moments>, value: number): void {
  const deviation = value - moments.mean
  moments.size++
  moments.mean += deviation / moments.size
  moments.sumOfSquares += deviation * (value - moments.mean)
}
