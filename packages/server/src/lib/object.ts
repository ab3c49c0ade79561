/**
 * Memoizes a function of objects by their identity. Keeps the last result for each first argument while that argument
 * is in memory. Arguments and results must not be modified.
 */
export function memoizeByIdentity<Key extends object, Others extends readonly unknown[], Result>(
  compute: (key: Key, ...others: Others) => Result
): (key: Key, ...others: Others) => Result {
  const results = new WeakMap<Key, { readonly others: Others; readonly result: Result }>()
  return (key, ...others) => {
    const known = results.get(key)
    if (known && hasSameItems(known.others, others)) return known.result
    const result = compute(key, ...others)
    results.set(key, { others, result })
    return result
  }
}

/** Sets an entry of a map, and removes the entries that were set first while the map has more than `limit`. */
export function setWithinLimit<Key, Value>(map: Map<Key, Value>, limit: number, key: Key, value: Value): void {
  map.set(key, value)
  for (const first of map.keys()) {
    if (map.size <= limit) return
    map.delete(first)
  }
}

/** Whether two lists have identical items in the same order. */
export function hasSameItems(before: readonly unknown[], after: readonly unknown[]): boolean {
  return before.length === after.length && before.every((item, index) => item === after[index])
}

/** The positions between which two lists differ: the items before and after them are identical. */
export interface ChangedPart {
  readonly start: number
  /** The end in the former list. */
  readonly beforeEnd: number
  /** The end in the new list. */
  readonly afterEnd: number
}

/** Returns where a list differs from its former state, without reading the items. */
export function changedPart(before: readonly unknown[], after: readonly unknown[]): ChangedPart {
  const shortest = Math.min(before.length, after.length)
  let start = 0
  while (start < shortest && before[start] === after[start]) start++
  let kept = 0
  while (kept < shortest - start && before[before.length - kept - 1] === after[after.length - kept - 1]) kept++
  return { start, beforeEnd: before.length - kept, afterEnd: after.length - kept }
}
