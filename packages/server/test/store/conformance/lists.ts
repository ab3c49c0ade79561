import { describe, expect, test } from 'vitest'
import type { StoredEdgeUser } from '../../../src/storage/resources/applicationUser.ts'
import type { StoredConfiguration, StoredVariable } from '../../../src/storage/resources/feature.ts'
import type { StoredProject } from '../../../src/storage/resources/project.ts'
import type { Query } from '../../../src/storage/store.ts'
import { stored, testEdgeUser, testId, testProject, testVariable } from './fixtures.ts'
import { type OpenStore, useStore } from './useStore.ts'

/** Lists: order, pages, search and conditions. */
export function describeLists(open: OpenStore): void {
  describe('lists', () => {
    const store = useStore(open)

    const names = async (query: Parameters<ReturnType<typeof projects>['list']>[0]) =>
      (await projects().list(query)).items.map((item) => item.name)
    const projects = () => store().collection('projects')
    const insertNamed = async (...list: string[]) => {
      for (const name of list) await projects().insert(testProject({ name }))
    }

    test('orders by id by default', async () => {
      for (const number of [3, 1, 2]) await projects().insert(testProject({ _id: testId(number) }))
      expect((await projects().list()).items.map((item) => item._id)).toEqual([testId(1), testId(2), testId(3)])
      const down = await projects().list({ sortOrder: 'desc' })
      expect(down.items.map((item) => item._id)).toEqual([testId(3), testId(2), testId(1)])
    })

    test('compares strings by code unit', async () => {
      await insertNamed('b', 'a', 'B', 'ä', '10', '9')
      expect(await names({ sortBy: 'name' })).toEqual(['10', '9', 'B', 'a', 'b', 'ä'])
      expect(await names({ sortBy: 'name', sortOrder: 'desc' })).toEqual(['ä', 'b', 'a', 'B', '9', '10'])
    })

    test('compares numbers by size and sorts missing values last, in both directions', async () => {
      for (const seen of [10, undefined, 9, -1]) {
        await store()
          .collection('edgeUsers')
          .insert(testEdgeUser(seen === undefined ? {} : { lastSeenDate: seen }))
      }
      const seen = async (sortOrder: 'asc' | 'desc') =>
        (await store().collection('edgeUsers').list({ sortBy: 'lastSeenDate', sortOrder })).items.map(
          (item) => item.lastSeenDate
        )
      expect(await seen('asc')).toEqual([-1, 9, 10, undefined])
      expect(await seen('desc')).toEqual([10, 9, -1, undefined])
    })

    test('sorts missing values lowest on request, and then by a second member', async () => {
      const days = [3, 1, undefined, 2, undefined].map((seen, day) => {
        const createdAt = `2026-11-2${day}T10:00:00.000Z`
        return testEdgeUser({ createdAt, email: 'same', ...(seen === undefined ? {} : { lastSeenDate: seen }) })
      })
      for (const user of days) await store().collection('edgeUsers').insert(user)
      const order = async (query: Query<StoredEdgeUser>) => {
        return (await store().collection('edgeUsers').list(query)).items.map(({ createdAt }) => Number(createdAt[9]))
      }
      const missing = { sortBy: 'lastSeenDate', thenBy: 'createdAt', missing: 'lowest' } as const
      expect(await order(missing)).toEqual([2, 4, 1, 3, 0])
      expect(await order({ ...missing, sortOrder: 'desc' })).toEqual([0, 3, 1, 4, 2])
      expect((await order({ sortBy: 'email', thenBy: 'lastSeenDate' })).slice(0, 3)).toEqual([1, 3, 0])
    })

    test.each(['asc', 'desc'] as const)('breaks ties by ascending id when sorting %s', async (sortOrder) => {
      for (const number of [2, 3, 1]) await projects().insert(testProject({ _id: testId(number), name: 'Shop' }))
      const { items } = await projects().list({ sortBy: 'name', sortOrder })
      expect(items.map((item) => item._id)).toEqual([testId(1), testId(2), testId(3)])
    })

    test('returns pages that do not overlap, and counts the whole list', async () => {
      await insertNamed('a', 'b', 'c', 'd', 'e')
      expect(await names({ sortBy: 'name', page: 1, perPage: 2 })).toEqual(['a', 'b'])
      expect(await names({ sortBy: 'name', page: 2, perPage: 2 })).toEqual(['c', 'd'])
      expect(await names({ sortBy: 'name', page: 3, perPage: 2 })).toEqual(['e'])
      expect(await projects().list({ page: 4, perPage: 2 })).toEqual({ items: [], count: 5 })
    })

    test('searches text in the given members, ignoring case', async () => {
      await projects().insert(testProject({ key: 'one', name: 'Checkout', description: 'pays' }))
      await projects().insert(testProject({ key: 'two', name: 'Basket', description: 'before the CHECKOUT' }))
      await projects().insert(testProject({ key: 'three', name: 'Blog' }))
      const search = { text: 'checkOut', in: ['name', 'description'] } as const
      expect(await names({ search, sortBy: 'name' })).toEqual(['Basket', 'Checkout'])
      expect(await names({ search: { text: 'checkout', in: ['name'] } })).toEqual(['Checkout'])
    })

    test('takes the text of a search literally', async () => {
      await insertNamed('100%', '100', 'a_b', 'axb', 'a.b', 'a\\b')
      expect(await names({ search: { text: '0%', in: ['name'] } })).toEqual(['100%'])
      expect(await names({ search: { text: 'A_B', in: ['name'] } })).toEqual(['a_b'])
      expect(await names({ search: { text: 'a.b', in: ['name'] } })).toEqual(['a.b'])
      expect(await names({ search: { text: '\\', in: ['name'] } })).toEqual(['a\\b'])
    })

    test('returns only matching items, and pages and counts them', async () => {
      for (const number of [1, 2, 1, 1])
        await store()
          .collection('variables')
          .insert(testVariable({ _project: testId(number) }))
      const page = await store()
        .collection('variables')
        .list({ where: { _project: testId(1) }, page: 2, perPage: 2 })
      expect(page.count).toBe(3)
      expect(page.items).toHaveLength(1)
    })

    test('matches a whole unique key in a list as well', async () => {
      const one = await store()
        .collection('configurations')
        .insert(configuration(testId(1), testId(2)))
      await store()
        .collection('configurations')
        .insert(configuration(testId(1), testId(3)))
      const { items } = await store()
        .collection('configurations')
        .list({ where: { _feature: testId(1), _environment: testId(2) } })
      expect(items).toEqual([one])
    })

    test('returns the first item of each value of a member, and pages and counts these', async () => {
      const insert = (number: number, name: string, _feature?: string) =>
        store()
          .collection('variables')
          .insert(testVariable({ _id: testId(number), name, ...(_feature === undefined ? {} : { _feature }) }))
      const [one, two, three] = [testId(0xa), testId(0xb), testId(0xc)]
      await insert(1, '1', one)
      await insert(2, '3', two)
      await insert(3, '5', one)
      await insert(4, '3', two)
      await insert(5, '4')
      await insert(6, '6')
      await insert(7, '9', three)
      const of = async (query: Query<StoredVariable>) => {
        const { items, count } = await store().collection('variables').list(query)
        return [items.map(({ _id }) => Number.parseInt(_id, 16)), count]
      }
      const query = { firstOf: '_feature', sortBy: 'name' } as const
      expect(await of(query)).toEqual([[1, 2, 5, 7], 4])
      expect(await of({ ...query, sortOrder: 'desc' })).toEqual([[7, 6, 3, 2], 4])
      expect(await of({ ...query, oneOf: { _feature: [two, one, one, testId(0xd)] } })).toEqual([[1, 2], 2])
      expect(await of({ ...query, oneOf: { _feature: [two, undefined] }, sortOrder: 'desc' })).toEqual([[6, 2], 2])
      expect(await of({ ...query, page: 2, perPage: 3 })).toEqual([[7], 4])
      expect(await of({ ...query, page: 3, perPage: 3 })).toEqual([[], 4])
    })

    test('returns the items that have one of several values, and none for an empty list of values', async () => {
      for (const type of ['Boolean', 'String', 'Number', 'JSON'] as const) {
        await variables().insert(testVariable({ key: type, type }))
      }
      expect(await keys({ oneOf: { type: ['String', 'JSON'] } })).toEqual(['JSON', 'String'])
      expect(await keys({ oneOf: { type: ['String', 'JSON'], key: ['JSON', 'Number'] } })).toEqual(['JSON'])
      expect(await keys({ oneOf: { type: [] } })).toEqual([])
      expect(await keys({ oneOf: { _feature: [testId(1)] } })).toEqual([])
    })

    test('returns the items without a member for the value undefined', async () => {
      await variables().insert(testVariable({ key: 'free' }))
      for (const number of [1, 2]) {
        await variables().insert(testVariable({ key: `of ${number}`, _feature: testId(number) }))
      }
      expect(await keys({ oneOf: { _feature: [undefined] } })).toEqual(['free'])
      expect(await keys({ oneOf: { _feature: [testId(2), undefined] } })).toEqual(['free', 'of 2'])
    })

    test.each([
      ['NUL', 'shop\0'],
      ['half a surrogate pair', 'shop\ud800']
    ])('finds nothing by a text with %s, which no item has', async (_, text) => {
      const projects = store().collection('projects')
      // A driver could replace or drop the character.
      for (const key of ['shop', 'shop\ufffd']) await projects.insert(testProject({ key }))
      expect(await projects.get({ key: text })).toBeUndefined()
      expect(await projects.get({ _id: text })).toBeUndefined()
      expect(await projects.remove(text)).toBeUndefined()
      expect(await projects.update(text, { name: 'New' })).toBeUndefined()
      const queries: Query<StoredProject>[] = [
        { where: { key: text } },
        { oneOf: { key: [text] } },
        { oneOf: { _id: [text] } },
        { search: { text, in: ['key'] } }
      ]
      for (const query of queries) expect(await projects.list(query)).toEqual({ items: [], count: 0 })
      expect((await projects.list({ oneOf: { key: [text, 'shop'] } })).count).toBe(1)
      const users = await store()
        .collection('users')
        .list({ including: { provisionedGroups: text } })
      expect(users.count).toBe(0)
    })

    test('returns the items whose list contains a value', async () => {
      await variables().insert(testVariable({ key: 'both', tags: ['shop', 'page'] }))
      await variables().insert(testVariable({ key: 'one', tags: ['page'] }))
      await variables().insert(testVariable({ key: 'part', tags: ['pages'] }))
      expect(await keys({ including: { tags: 'page' } })).toEqual(['both', 'one'])
      expect(await keys({ including: { tags: 'shop' } })).toEqual(['both'])
      expect(await keys({ including: { tags: 'pag' } })).toEqual([])
    })

    test('returns the items between two strings, both included, by code unit', async () => {
      const days = ['2026-11-20T23:59:59.999Z', '2026-11-21T00:00:00.000Z', '2026-11-21T12:00:00.000Z']
      for (const createdAt of days) await projects().insert(testProject({ createdAt, name: createdAt }))
      const [first, second, third] = days as [string, string, string]
      const within = (from?: string, to?: string) => {
        const bounds = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
        return names({ between: { member: 'createdAt', ...bounds }, sortBy: 'createdAt' })
      }
      expect(await within(first, second)).toEqual([first, second])
      expect(await within(second)).toEqual([second, third])
      expect(await within(undefined, second)).toEqual([first, second])
      expect(await within('2026-11-21', '2026-11-21~')).toEqual([second, third])
      expect(await within(third, first)).toEqual([])
      expect(await within()).toEqual(days)
    })

    test('excludes items without the member from a range', async () => {
      await projects().insert(testProject({ name: 'With', description: 'm' }))
      await projects().insert(testProject({ name: 'Without' }))
      expect(await names({ between: { member: 'description', from: '' } })).toEqual(['With'])
      expect(await names({ between: { member: 'description', to: 'z' } })).toEqual(['With'])
    })

    test('searches in lists of strings as well', async () => {
      await variables().insert(testVariable({ key: 'tagged', tags: ['first', 'Checkout'] }))
      await variables().insert(testVariable({ key: 'checkout' }))
      await variables().insert(testVariable({ key: 'other', tags: ['check', 'out'] }))
      expect(await keys({ search: { text: 'checkout', in: ['key', 'tags'] } })).toEqual(['checkout', 'tagged'])
      expect(await keys({ search: { text: 'KOU', in: ['tags'] } })).toEqual(['tagged'])
    })

    test('returns, counts and pages the items that meet every condition', async () => {
      for (const [number, tags] of [['a', 'b'], ['a'], ['b'], ['a'], ['a']].entries()) {
        const [_project, type] = [testId(number === 3 ? 2 : 1), number === 1 ? 'String' : 'Boolean'] as const
        await variables().insert(testVariable({ _id: testId(number), key: `v${number}`, _project, type, tags }))
      }
      const query = {
        where: { _project: testId(1) },
        oneOf: { type: ['Boolean', 'Number'] },
        including: { tags: 'a' },
        between: { member: 'key', to: 'v4' },
        search: { text: 'V', in: ['key'] }
      } as const
      expect(await keys(query)).toEqual(['v0', 'v4'])
      const page = await variables().list({ ...query, page: 2, perPage: 1 })
      expect([page.count, ...page.items.map(({ key }) => key)]).toEqual([2, 'v4'])
    })

    const variables = () => store().collection('variables')
    const keys = async (query: Parameters<ReturnType<typeof variables>['list']>[0]) =>
      (await variables().list({ sortBy: 'key', ...query })).items.map(({ key }) => key)
  })
}

function configuration(_feature: string, _environment: string): StoredConfiguration {
  const { key, ...rest } = stored()
  return { ...rest, _project: testId(1), _feature, _environment, status: 'active', targets: [] }
}
