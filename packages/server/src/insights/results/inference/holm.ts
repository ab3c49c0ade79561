/**
 * Returns the p-values adjusted for their number by Holm's method (1979), which needs no independence. A null stays
 * null and counts as 1: a treatment that cannot be compared yet still belongs to the family, so that the correction
 * does not change while data arrive.
 */
export function holmAdjusted(pValues: readonly (number | null)[]): (number | null)[] {
  const order = pValues.map((pValue, index) => ({ pValue: pValue ?? 1, index })).sort((a, b) => a.pValue - b.pValue)
  const adjusted: (number | null)[] = pValues.map(() => null)
  let running = 0
  order.forEach(({ pValue, index }, rank) => {
    running = Math.max(running, Math.min(1, pValue * (pValues.length - rank)))
    if (pValues[index] !== null) adjusted[index] = running
  })
  return adjusted
}
