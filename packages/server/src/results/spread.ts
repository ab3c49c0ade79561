import { breathe } from '../breathe.ts'
import type { Outcomes } from './outcomes.ts'

/** What there is of a variation: of the users who got it, of those who did it, and of what they did. */
export interface Spread {
  readonly users: number
  /** How often it was served. */
  readonly evaluations: number
  readonly events: number
  /** How many of the events are those of the one user who has most. */
  readonly most: number
  /** The sum of all values. */
  readonly total: number
  /** The sum of each user's values, which is zero for those who did nothing. */
  readonly sums: Moments
  /** The mean of each user's values, of those who did something. */
  readonly doers: Moments
  /** How far values are from the mean of them all: the sum of the squares. */
  readonly eventSquares: number
  /** How far each user's sum is from as many events of the mean value: the sum of the squares. */
  readonly clusterSquares: number
}

/** How many there are, their mean, and the sum of the squares of how far they are from it. */
export interface Moments {
  readonly size: number
  readonly mean: number
  readonly squares: number
}

/** What there is of each of so many variations at this moment. It goes through the rows twice, and lets others work in between. */
export async function spreadsOf(outcomes: Outcomes, variations: number): Promise<readonly Spread[]> {
  const { evaluations, isCounted } = outcomes
  const rows = outcomes.rows()
  const spreads = Array.from({ length: variations }, (_, place) => emptySpread(evaluations[place] ?? 0))
  const each = async (take: (spread: MutableSpread, row: number) => void): Promise<void> => {
    for (let row = 0; row < rows.size; row++) {
      if (row % ROWS_AT_ONCE === ROWS_AT_ONCE - 1) await breathe()
      const spread = spreads[rows.place(row)]
      if (spread && isCounted(row)) take(spread, row)
    }
  }
  await each((spread, row) => {
    const [count, mean] = [rows.count(row), rows.mean(row)]
    spread.events += count
    spread.most = Math.max(spread.most, count)
    spread.total += count * mean
    if (rows.hasGot(row)) {
      spread.users++
      add(spread.sums, count * mean)
    }
    if (count > 0) add(spread.doers, mean)
  })
  await each((spread, row) => {
    const [count, distance] = [rows.count(row), rows.mean(row) - spread.total / spread.events]
    if (count === 0) return
    spread.eventSquares += rows.squares(row) + count * distance * distance
    spread.clusterSquares += (count * distance) ** 2
  })
  return spreads
}

/** Some milliseconds' worth. */
const ROWS_AT_ONCE = 65_536

/** The same, if no event counts and nobody got it. */
export function withoutUsers({ evaluations }: Spread): Spread {
  return emptySpread(evaluations)
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }
type MutableSpread = Mutable<Omit<Spread, 'sums' | 'doers'>> & {
  readonly sums: Mutable<Moments>
  readonly doers: Mutable<Moments>
}

function emptySpread(evaluations: number): MutableSpread {
  const nothing = { users: 0, events: 0, most: 0, total: 0, eventSquares: 0, clusterSquares: 0 }
  return { evaluations, ...nothing, sums: emptyMoments(), doers: emptyMoments() }
}

function emptyMoments(): Mutable<Moments> {
  return { size: 0, mean: 0, squares: 0 }
}

/** Welford's method (1962). */
function add(moments: Mutable<Moments>, value: number): void {
  const distance = value - moments.mean
  moments.size++
  moments.mean += distance / moments.size
  moments.squares += distance * (value - moments.mean)
}
