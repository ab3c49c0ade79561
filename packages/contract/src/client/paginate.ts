/**
 * Iterates over all items of a list, page by page, in the order of the list.
 *
 * The list may change meanwhile. Each item that exists during the whole iteration is returned exactly once, provided
 * that its position among the others stays the same. That holds for the default order (`createdAt`) and for every
 * `sortBy` whose values do not change. Items that are created or deleted meanwhile may or may not be returned.
 *
 * @example
 * for await (const feature of paginate(burgee.listFeatures, { params: { project: 'shop' } })) console.log(feature.key)
 */
export async function* paginate<R extends { readonly query?: object }, T>(
  list: (request: R) => Promise<readonly T[]>,
  request: R
): AsyncGenerator<T, void> {
  const seen = new Set<string>()
  let position = 0
  for (;;) {
    const { page, perPage } = nextPage(position)
    const items = await list({ ...request, query: { ...request.query, page, perPage } })
    const start = (page - 1) * perPage
    // A page after the first repeats at least one item. If it does not, earlier items were deleted, so that unread items
    // moved to an earlier page, and the iteration steps back to find them.
    if (start > 0 && !items.some((item) => seen.has(identify(item)))) {
      position = Math.max(0, position - PAGE_SIZE)
      continue
    }
    for (const item of items) {
      const identity = identify(item)
      if (seen.has(identity)) continue
      seen.add(identity)
      yield item
    }
    if (items.length < perPage) return
    position = start + perPage
  }
}

const PAGE_SIZE = 100

interface PageQuery {
  readonly page: number
  readonly perPage: number
}

/** Returns the page that reaches furthest and still contains the item before `position`. */
function nextPage(position: number): PageQuery {
  if (position === 0) return { page: 1, perPage: PAGE_SIZE }
  const sizes = Array.from({ length: PAGE_SIZE }, (_, index) => PAGE_SIZE - index)
  const pages = sizes.map((perPage) => ({ page: Math.ceil(position / perPage), perPage }))
  return pages.reduce((best, page) => (endOf(page) > endOf(best) ? page : best))
}

function endOf({ page, perPage }: PageQuery): number {
  return page * perPage
}

/** Items of lists have an id; members of an organization are the exception. */
function identify(item: unknown): string {
  const { _id, user_id }: { readonly _id?: unknown; readonly user_id?: unknown } = Object(item)
  return String(_id ?? user_id ?? JSON.stringify(item))
}
