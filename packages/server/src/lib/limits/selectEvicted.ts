/**
 * Selects items to remove until at most `limit` remain: each time the first of the owner with the most items. So an
 * owner who adds many items removes its own. `items` are sorted, the oldest first.
 */
export function selectEvicted<T>(items: readonly T[], limit: number, ownerOf: (item: T) => string): readonly T[] {
  const shares = new Map<string, T[]>()
  for (const item of items) {
    const owner = ownerOf(item)
    const share = shares.get(owner)
    if (share) share.push(item)
    else shares.set(owner, [item])
  }
  const evicted: T[] = []
  while (items.length - evicted.length > Math.max(0, limit)) {
    const largest = [...shares.values()].reduce((one, other) => (other.length > one.length ? other : one))
    evicted.push(...largest.splice(0, 1))
  }
  return evicted
}
