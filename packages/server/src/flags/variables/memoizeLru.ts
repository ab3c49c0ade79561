/** Memoizes a function by its first argument, and keeps the `size` results that were used most recently. */
export function memoizeLru<T, Rest extends readonly unknown[]>(
  size: number,
  work: (text: string, ...rest: Rest) => T
): (text: string, ...rest: Rest) => T {
  const results = new Map<string, { readonly result: T }>()
  return (text, ...rest) => {
    const known = results.get(text) ?? { result: work(text, ...rest) }
    results.delete(text)
    results.set(text, known)
    const [oldest] = results.keys()
    if (results.size > size && oldest !== undefined) results.delete(oldest)
    return known.result
  }
}
