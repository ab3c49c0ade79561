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

/**
 * Removes the undefined items of a list, and returns it. Allocates nothing: `filter` grows a list step by step, and an
 * iterator can allocate an object for each item.
 */
export function removeUndefined<T>(list: (T | undefined)[]): T[] {
  let count = 0
  for (let at = 0; at < list.length; at++) {
    const item = list[at]
    if (item !== undefined) list[count++] = item
  }
  list.length = count
  return list as T[]
}
