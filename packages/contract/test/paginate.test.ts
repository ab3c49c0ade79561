import fc from 'fast-check'
import { expect, test } from 'vitest'
import { collect, listPage, paginate } from '../src/client.ts'

interface Item {
  readonly _id: string
}

interface Request {
  readonly query?: { readonly page?: number; readonly perPage?: number; readonly search?: string }
}

/** Creates a list that returns pages like the server and calls `change` after each page. */
function pagesOf(items: Item[], change: (items: Item[]) => void = () => {}) {
  const requests: Required<Request>['query'][] = []
  const list = async ({ query = {} }: Request): Promise<readonly Item[]> => {
    const { page = 1, perPage = 100 } = query
    requests.push(query)
    const found = items.slice((page - 1) * perPage, page * perPage)
    change(items)
    return found
  }
  return { list, requests }
}

const numbered = (count: number): Item[] => Array.from({ length: count }, (_, index) => ({ _id: `item-${index}` }))

async function idsOf(list: (request: Request) => Promise<readonly Item[]>): Promise<string[]> {
  const ids: string[] = []
  for await (const { _id } of paginate(list, {})) ids.push(_id)
  return ids
}

test.each([
  [0, 1],
  [99, 1],
  [100, 2],
  [250, 3],
  [1234, 14]
])('paginate reads %i items in %i requests, in order', async (count, requests) => {
  const pages = pagesOf(numbered(count))
  expect(await idsOf(pages.list)).toEqual(numbered(count).map(({ _id }) => _id))
  expect(pages.requests).toHaveLength(requests)
})

test('collect returns all items, or the first ones without reading more pages', async () => {
  const all = pagesOf(numbered(250))
  expect(await collect(all.list, {})).toEqual(numbered(250))
  const some = pagesOf(numbered(250))
  expect(await collect(some.list, {}, 100)).toEqual(numbered(100))
  expect(some.requests).toHaveLength(1)
})

test('paginate sends the query of the request with each page', async () => {
  const { list, requests } = pagesOf(numbered(150))
  for await (const _ of paginate(list, { query: { search: 'item' } }));
  expect(requests).toEqual([
    { search: 'item', page: 1, perPage: 100 },
    { search: 'item', page: 2, perPage: 99 }
  ])
})

test('paginate returns members, which have no _id, once each', async () => {
  const members = Array.from({ length: 120 }, (_, index) => ({ user_id: `user-${index}` }))
  const list = async ({ query = {} }: Request) => {
    const { page = 1, perPage = 100 } = query
    return members.slice((page - 1) * perPage, page * perPage)
  }
  const found: unknown[] = []
  for await (const member of paginate(list, {})) found.push(member)
  expect(found).toEqual(members)
})

test.each(['first', 'last'])(
  'paginate neither repeats nor skips items when others come (%s) and go between requests',
  async (end) => {
    const change = fc.record({
      added: fc.integer({ min: 0, max: 150 }),
      removed: fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), { maxLength: 150 })
    })
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 500 }), fc.array(change, { maxLength: 8 }), async (count, changes) => {
        const items = numbered(count)
        const removed = new Set<string>()
        let made = 0
        const { list } = pagesOf(items, () => {
          const next = changes.shift()
          for (const part of next?.removed ?? []) {
            for (const { _id } of items.splice(Math.floor(part * items.length), 1)) removed.add(_id)
          }
          const added = Array.from({ length: next?.added ?? 0 }, () => ({ _id: `new-${made++}` }))
          if (end === 'first') items.unshift(...added.reverse())
          else items.push(...added)
        })
        const found = await idsOf(list)
        expect(found).toEqual([...new Set(found)])
        const kept = numbered(count).flatMap(({ _id }) => (removed.has(_id) ? [] : [_id]))
        expect(found.filter((id) => id.startsWith('item-') && !removed.has(id))).toEqual(kept)
      })
    )
  }
)

test('listPage counts the items of a list without pages', async () => {
  expect(await listPage(pagesOf(numbered(3)).list, {})).toEqual({ items: numbered(3), count: 3 })
})
