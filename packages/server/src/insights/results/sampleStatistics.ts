import { yieldToEventLoop } from '../../lib/time.ts'
import type { Attribution } from './attribution/attribution.ts'
import { type UserMoments, UserMomentsAccumulator } from './inference/userMoments.ts'

/** The sufficient statistics of one variation: everything that results say about it follows from them. */
export interface SampleStatistics {
  /** The number of users who got the variation. */
  readonly users: number
  /** How often the variation was served. */
  readonly evaluations: number
  /** The part of the evaluations whose user is known. */
  readonly evaluationsOfUsers: number
  readonly events: number
  /** The number of users with events. */
  readonly activeUsers: number
  /** The sum of all values. */
  readonly total: number
  /** The sum of squared deviations of the values from their mean. */
  readonly eventSumOfSquares: number
  /** Over the users that the dimension compares. */
  readonly moments: UserMoments
}

/** A user of a variation. */
export interface UserRow {
  /** Whether the user is known to have got the variation; otherwise events name it. */
  readonly isExposed: boolean
  /** The number of events. */
  readonly count: number
  /** The mean of the events' values. */
  readonly mean: number
  /** The number of evaluations that are known to be the user's. */
  readonly evaluations: number
}

/** Returns a user's numerator and denominator in the ratio that is compared; undefined for users outside the sample. */
export type RatioOfUser = (user: UserRow) => readonly [numerator: number, denominator: number] | undefined

/** Computes the statistics of each variation in two passes over the rows, and yields to the event loop in between. */
export async function computeSampleStatistics(
  attribution: Attribution,
  variations: number,
  ratioOfUser: RatioOfUser
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
    const isExposed = rows.isExposed(row)
    const user = { isExposed, count: rows.count(row), mean: rows.mean(row), evaluations: rows.evaluations(row) }
    sample.events += user.count
    sample.total += user.count * user.mean
    sample.evaluationsOfUsers += user.evaluations
    if (isExposed) sample.users++
    if (user.count > 0) sample.activeUsers++
    const ratio = ratioOfUser(user)
    if (ratio) sample.moments.add(...ratio)
  })
  await forEachRow((sample, row) => {
    const [count, deviation] = [rows.count(row), rows.mean(row) - sample.total / sample.events]
    if (count > 0) sample.eventSumOfSquares += rows.sumOfSquares(row) + count * deviation * deviation
  })
  return samples
}

/** A few milliseconds of work. */
const ROWS_PER_SLICE = 65_536

/** Returns the statistics without users and their events; evaluations stay. */
export function withoutUsers({ evaluations }: SampleStatistics): SampleStatistics {
  return emptyStatistics(evaluations)
}

type MutableStatistics = { -readonly [K in keyof Omit<SampleStatistics, 'moments'>]: SampleStatistics[K] } & {
  readonly moments: UserMomentsAccumulator
}

/** Returns the statistics of a variation that only has evaluations. */
export function emptyStatistics(evaluations: number): MutableStatistics {
  const zeros = { users: 0, evaluationsOfUsers: 0, events: 0, activeUsers: 0, total: 0, eventSumOfSquares: 0 }
  return { evaluations, ...zeros, moments: new UserMomentsAccumulator() }
}
