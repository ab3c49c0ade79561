import type { Share } from '@burgee/core'

/** By how much shares that are meant to be whole can miss 1: thirds and the like are written with a few digits. */
const TOLERANCE = 0.0001

/**
 * Gives what shares lack of 1 to the one that engines lay last, which is that of the lowest variation id
 * (`evaluation.md` §3.3): a user beyond every share would be served nothing.
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
