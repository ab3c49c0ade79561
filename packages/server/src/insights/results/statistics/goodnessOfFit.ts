import { chiSquarePValue } from './distributions.ts'

/**
 * How likely counts are to be at least as far from what their shares let expect, where the shares are true: Pearson's
 * chi-square test, which shows a sample ratio mismatch (Fabijan et al. 2019). Nothing can be said of fewer than two, or of none.
 */
export function sampleRatioPValue(counts: readonly number[], shares: readonly number[]): number | undefined {
  const total = sum(counts)
  const whole = sum(shares)
  if (counts.length < 2 || total === 0 || shares.some((share) => share <= 0)) return undefined
  const expected = shares.map((share) => (share / whole) * total)
  const square = sum(expected.map((count, index) => ((counts[index] ?? 0) - count) ** 2 / count))
  return chiSquarePValue(square, counts.length - 1)
}

/** Whether a p-value is so small that the users were not split as they should have been. */
export function isSampleRatioMismatch(pValue: number): boolean {
  return pValue < 0.001
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
