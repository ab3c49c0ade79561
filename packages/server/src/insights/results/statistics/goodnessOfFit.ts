import { chiSquarePValue } from './distributions.ts'
import { sum } from './sum.ts'

/**
 * The p-value of Pearson's chi-square test of counts against expected shares, which detects a sample ratio mismatch
 * (Fabijan et al. 2019). Returns `undefined` for fewer than two counts, without observations, and for shares that are
 * not positive.
 */
export function sampleRatioPValue(counts: readonly number[], shares: readonly number[]): number | undefined {
  const total = sum(counts)
  const totalShare = sum(shares)
  if (counts.length < 2 || total === 0 || shares.some((share) => share <= 0)) return undefined
  const expected = shares.map((share) => (share / totalShare) * total)
  const statistic = sum(expected.map((count, index) => ((counts[index] ?? 0) - count) ** 2 / count))
  return chiSquarePValue(statistic, counts.length - 1)
}

/** Whether a p-value shows a sample ratio mismatch: p < 0.001, which is strict, since every experiment is tested. */
export function isSampleRatioMismatch(pValue: number): boolean {
  return pValue < 0.001
}
