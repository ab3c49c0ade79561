import { paginate } from './paginate.ts'

/**
 * Returns the items of a list, as `paginate` does: all of them, or the first `limit`.
 *
 * @example
 * const features = await collect(burgee.listFeatures, { params: { project: 'shop' } })
 */
export async function collect<R extends { readonly query?: object }, T>(
  list: (request: R) => Promise<readonly T[]>,
  request: R,
  limit = Number.POSITIVE_INFINITY
): Promise<readonly T[]> {
  const items: T[] = []
  for await (const item of paginate(list, request)) {
    items.push(item)
    if (items.length >= limit) break
  }
  return items
}
