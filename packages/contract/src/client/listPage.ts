/** One page of a list. */
export interface Page<T> {
  readonly items: readonly T[]
  /** The number of items on all pages. */
  readonly count: number
}

/**
 * Fetches one page of a list, with the number of items on all pages. A list without pages counts its own items.
 *
 * @example
 * const { items, count } = await listPage(burgee.listFeatures, { params: { project: 'shop' }, query: { perPage: 10 } })
 */
export async function listPage<R, T>(list: (request: R) => Promise<readonly T[]>, request: R): Promise<Page<T>> {
  const items = await list(request)
  return { items, count: totals.get(items) ?? items.length }
}

/** Remembers the `count` header of a response for `listPage`. The methods of a client return plain arrays. */
export function setTotal(items: readonly unknown[], count: string | null): void {
  if (count !== null && /^\d+$/.test(count)) totals.set(items, Number(count))
}

const totals = new WeakMap<readonly unknown[], number>()
