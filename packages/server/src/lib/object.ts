/** Drops `undefined` properties; the store would treat them as deletions. */
export function omitUndefined<T extends object>(members: T): OmitUndefined<T> {
  // Only undefined properties are dropped.
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as OmitUndefined<T>
}

type OmitUndefined<T> = { [M in keyof T as undefined extends T[M] ? never : M]: T[M] } & {
  [M in keyof T as undefined extends T[M] ? M : never]?: Exclude<T[M], undefined>
}

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

/** Whether two lists have identical items in the same order. */
export function hasSameItems(before: readonly unknown[], after: readonly unknown[]): boolean {
  return before.length === after.length && before.every((item, index) => item === after[index])
}
