import type { Share } from '@burgee/core'

/** Tolerance for the sum of shares: thirds, for example, are written with a few digits. */
const TOLERANCE = 0.0001

/**
 * Adds the missing remainder of shares to the last range, which engines assign to the lowest variation id: a user
 * beyond the last range would be served nothing. See docs/reference/config-document.md#rewritten-for-every-engine.
 */
export function normalizeDistribution(shares: readonly Share[]): readonly Share[] {
  const sum = total(shares)
  if (sum >= 1 || sum < 1 - TOLERANCE) return shares
  const [last, ...others] = [...shares].sort((one, other) => (one._variation < other._variation ? -1 : 1))
  if (!last) return shares
  const percentage = 1 - total([...others].reverse())
  return shares.map((share) => (share._variation === last._variation ? { ...share, percentage } : share))
}

function total(shares: readonly Share[]): number {
  return shares.reduce((sum, { percentage }) => sum + percentage, 0)
}
