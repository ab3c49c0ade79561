/**
 * Returns a statistic that is smaller in absolute value if the skewness of the difference makes such values more
 * frequent than the normal distribution does: few large values are still missing in the arm that looks lower. The
 * first-order term is that of Johnson (1978) and Hall (1992), t²·skewness/3, made monotone and enlarged by `CAUTION`,
 * since samples underestimate the skewness of heavy tails. The other direction is not corrected.
 */
export function correctSkewness(statistic: number, skewness: number): number {
  const rate = rateOf(statistic, skewness)
  return statistic / (1 + rate * Math.min(Math.abs(statistic), LINEAR_FROM))
}

/** Returns the statistic that `correctSkewness` maps to a value. */
export function invertSkewnessCorrection(corrected: number, skewness: number): number {
  const rate = rateOf(corrected, skewness)
  const size = Math.abs(corrected)
  const isLinear = size * (1 + rate * LINEAR_FROM) >= LINEAR_FROM
  return isLinear ? corrected * (1 + rate * LINEAR_FROM) : corrected / (1 - rate * size)
}

function rateOf(statistic: number, skewness: number): number {
  return statistic * skewness < 0 ? (CAUTION * Math.abs(skewness)) / 3 : 0
}

/** Chosen by simulation (docs/reference/statistics.md). */
const CAUTION = 4

/** Beyond this, the correction no longer grows, so that intervals are bounded. */
const LINEAR_FROM = 6
