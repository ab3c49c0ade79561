import type { TimeRange } from '../eventStore.ts'

/** Finds the period that contains a time by binary search. The periods are sorted and do not overlap. */
export function createPeriodIndex(periods: readonly TimeRange[]): PeriodIndex {
  return {
    span: { start: periods[0]?.start ?? 0, end: periods.at(-1)?.end ?? 0 },
    indexOf(moment) {
      let [low, high] = [0, periods.length]
      while (low < high) {
        const middle = (low + high) >> 1
        if ((periods[middle]?.end ?? 0) <= moment) low = middle + 1
        else high = middle
      }
      const { start = Number.POSITIVE_INFINITY } = periods[low] ?? {}
      return start <= moment ? low : -1
    }
  }
}

/** Finds periods. */
export interface PeriodIndex {
  /** From the start of the first period to the end of the last one. */
  readonly span: TimeRange
  /** Returns the index of the period that contains a time, or -1. */
  readonly indexOf: (moment: number) => number
}
