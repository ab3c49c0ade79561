import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { StoredEdgeUser } from './resources/applicationUser.ts'
import type { StoredConfiguration, StoredVariable } from './resources/feature.ts'
import type { StoredAuditEntry } from './resources/history.ts'
import type { StoredProject } from './resources/project.ts'
import { type Change, DuplicateError, type Query, type Store } from './store.ts'

/**
 * The conformance tests of stores; `open` returns an empty one each time. Long because it covers the whole interface.
 */
export function describeStore(name: string, open: () => Promise<Store>): void {
  describe(name, () => {
    let store: Store
    beforeEach(async () => {
      store = await open()
    })
    afterEach(() => store.close())

    describe('beforeCommit hooks', () => {
      test('add writes that become durable with the transaction', async () => {
        const changes: Change[] = []
        store.subscribe((change) => void changes.push(change))
        const end = store.beforeCommit(async ({ writes }, transaction) => {
          const [{ after } = {}] = writes
          if (after) await transaction.collection('configVersions').insert({ ...version, _id: after._id })
        })
        const { _id } = await store.collection('projects').insert(testProject())
        expect(await store.collection('configVersions').get({ _id })).toEqual({ ...version, _id })
        expect(changes.map(({ writes }) => writes.map(({ collection }) => collection))).toEqual([
          ['projects', 'configVersions']
        ])
        end()
        await store.collection('projects').insert(testProject({ _id: testId(2), key: 'other' }))
        expect((await store.collection('configVersions').list()).count).toBe(1)
      })

      test('see the writes of the transaction and of earlier hooks', async () => {
        const seen: number[] = []
        store.beforeCommit(async ({ writes }, transaction) => {
          seen.push(writes.length, (await transaction.collection('projects').list()).count)
          await transaction.collection('configVersions').insert(version)
        })
        store.beforeCommit(async ({ writes }) => void seen.push(writes.length))
        await store.collection('projects').insert(testProject())
        expect(seen).toEqual([1, 1, 2])
      })

      test('fail the transaction when they fail, and do not run for one without writes', async () => {
        store.beforeCommit(async () => {
          throw new Error('on purpose')
        })
        await expect(store.collection('projects').insert(testProject())).rejects.toThrow('on purpose')
        expect((await store.collection('projects').list()).count).toBe(0)
        expect(await store.transaction(async () => 'nothing')).toBe('nothing')
      })
    })

    describe('a write that would deadlock', () => {
      const insert = () => store.collection('projects').insert(testProject({ key: 'other' }))
      const count = async () => (await store.collection('projects').list()).count

      test('fails through the outer store in a transaction, and later writes succeed', async () => {
        const transaction = store.transaction(async (inside) => {
          await inside.collection('projects').insert(testProject())
          await insert()
        })
        await expect(transaction).rejects.toThrow('use the store that the transaction or hook receives')
        await insert()
        expect(await count()).toBe(1)
      })

      test('fails in functions that a transaction awaits, after other work, and in a transaction in it', async () => {
        const deep = async () => {
          await new Promise((resolve) => setTimeout(resolve, 1))
          return store.transaction(() => insert())
        }
        await expect(store.transaction((inside) => inside.transaction(deep))).rejects.toThrow('use the store')
        expect(await count()).toBe(0)
      })

      test('can be handled inside the transaction, whose own writes are kept', async () => {
        await store.transaction(async (inside) => {
          await inside.collection('projects').insert(testProject())
          await expect(insert()).rejects.toThrow('use the store')
        })
        expect(await count()).toBe(1)
      })

      test('fails in a beforeCommit hook, and so does its transaction', async () => {
        const end = store.beforeCommit(async () => void (await insert()))
        await expect(store.collection('variables').insert(testVariable())).rejects.toThrow('use the store')
        end()
        expect(await store.collection('variables').list()).toMatchObject({ count: 0 })
        await insert()
      })

      test('fails in a listener, before and after the listener awaits, and leaves the change and later writes', async () => {
        const refused: unknown[] = []
        const end = store.subscribe(async () => {
          await insert().catch((error) => refused.push(error))
          await new Promise((resolve) => setTimeout(resolve, 1))
          await insert().catch((error) => refused.push(error))
        })
        const { _id } = await store.collection('projects').insert(testProject())
        expect(refused.map(String)).toEqual(Array(2).fill(expect.stringContaining('a listener cannot write')))
        end()
        await insert()
        expect(await store.collection('projects').get({ _id })).toBeDefined()
      })

      test('succeeds once the listener or transaction that started it has ended', async () => {
        let written: Promise<unknown> | undefined
        const later = () => new Promise((resolve) => setTimeout(resolve, 5)).then(insert)
        const end = store.subscribe(() => {
          written = later()
          end()
        })
        await store.collection('variables').insert(testVariable())
        await written
        await store.transaction(async () => {
          written = new Promise((resolve) => setTimeout(resolve, 5)).then(() => store.collection('projects').list())
        })
        await written
        expect(await count()).toBe(1)
      })

      test('does not affect concurrent writes of other callers', async () => {
        let start = () => {}
        const started = new Promise<void>((resolve) => {
          start = resolve
        })
        const others = started.then(() => Promise.all([insert(), store.collection('variables').insert(testVariable())]))
        await store.transaction(async (inside) => {
          start()
          await new Promise((resolve) => setTimeout(resolve, 5))
          await inside.collection('projects').insert(testProject({ key: 'shop' }))
        })
        await others
        expect(await count()).toBe(2)
      })
    })

    describe('items', () => {
      test('returns an inserted item by id and by unique key', async () => {
        const shop = testProject({ key: 'shop' })
        expect(await store.collection('projects').insert(shop)).toEqual(shop)
        expect(await store.collection('projects').get({ _id: shop._id })).toEqual(shop)
        expect(await store.collection('projects').get({ key: 'shop' })).toEqual(shop)
      })

      test('finds an item by a unique key of several members only when all of them match', async () => {
        const one = await store.collection('variables').insert(testVariable({ _project: testId(1), key: 'banner' }))
        const other = await store.collection('variables').insert(testVariable({ _project: testId(2), key: 'banner' }))
        expect(await store.collection('variables').get({ _project: testId(1), key: 'banner' })).toEqual(one)
        expect(await store.collection('variables').get({ _project: testId(2), key: 'banner' })).toEqual(other)
        expect(await store.collection('variables').get({ _project: testId(3), key: 'banner' })).toBeUndefined()
        expect(await store.collection('variables').get({ _id: one._id, _project: testId(2) })).toBeUndefined()
      })

      test('finds the item with the lowest id by members that are not unique', async () => {
        await store.collection('projects').insert(testProject({ _id: testId(0xb), name: 'Shop' }))
        await store.collection('projects').insert(testProject({ _id: testId(0xa), name: 'Shop' }))
        expect((await store.collection('projects').get({ name: 'Shop' }))?._id).toBe(testId(0xa))
      })

      test('returns undefined for a missing item', async () => {
        const projects = store.collection('projects')
        expect(await projects.get({ key: 'nothing' })).toBeUndefined()
        expect(await projects.update(testId(1), { name: 'Nothing' })).toBeUndefined()
        expect(await projects.remove(testId(1))).toBeUndefined()
        expect(await projects.list()).toEqual({ items: [], count: 0 })
      })

      test('replaces the given members and keeps the others', async () => {
        const before = await store.collection('projects').insert(testProject({ key: 'shop', description: 'Sells' }))
        const after = await store.collection('projects').update(before._id, { name: 'The shop' })
        expect(after).toEqual({ ...before, name: 'The shop' })
        expect(await store.collection('projects').get({ key: 'shop' })).toEqual(after)
        expect(before.name).not.toBe('The shop')
      })

      test('removes a member that is updated to undefined', async () => {
        const { _id } = await store.collection('projects').insert(testProject({ description: 'Sells' }))
        const after = await store.collection('projects').update(_id, { description: undefined })
        expect(Object.keys(after ?? {})).not.toContain('description')
        expect(Object.keys((await store.collection('projects').get({ _id })) ?? {})).not.toContain('description')
      })

      test('rejects a change of the id of an item', async () => {
        const { _id } = await store.collection('projects').insert(testProject())
        await expect(store.collection('projects').update(_id, { _id: testId(99) })).rejects.toThrow('_id')
        expect((await store.collection('projects').list()).items.map((item) => item._id)).toEqual([_id])
      })

      test('returns the removed item and no longer finds it', async () => {
        const shop = await store.collection('projects').insert(testProject({ key: 'shop' }))
        expect(await store.collection('projects').remove(shop._id)).toEqual(shop)
        expect(await store.collection('projects').get({ _id: shop._id })).toBeUndefined()
        expect(await store.collection('projects').get({ key: 'shop' })).toBeUndefined()
      })

      test('returns frozen copies of inserted items', async () => {
        const given = testProject()
        const kept = await store.collection('projects').insert(given)
        expect(Object.isFrozen(given)).toBe(false)
        expect(Object.isFrozen(kept)).toBe(true)
        expect(Object.isFrozen(kept.settings.edgeDB)).toBe(true)
        expect(Object.isFrozen((await store.collection('projects').get({ _id: kept._id }))?.settings)).toBe(true)
      })

      test.each(['__proto__', 'constructor', 'prototype', 'hasOwnProperty', '', 'é"\\\n\u2028'])(
        'stores %j like any other key',
        async (key) => {
          const shop = await store.collection('projects').insert(testProject({ key }))
          expect(await store.collection('projects').get({ key })).toEqual(shop)
          expect(await store.collection('projects').get({ key: `${key}x` })).toBeUndefined()
          const choices = JSON.parse(`{${JSON.stringify(key)}:true}`)
          const optIn = { ...testProject(), _environment: testId(1), user_id: key, choices }
          await store.collection('optIns').insert(optIn)
          const kept = await store.collection('optIns').get({ _environment: testId(1), user_id: key })
          expect(Object.entries(kept?.choices ?? {})).toEqual([[key, true]])
          expect(Object.keys({})).toEqual([])
        }
      )
    })

    describe('unique keys', () => {
      test('refuses a second item with the same id', async () => {
        const { _id } = await store.collection('projects').insert(testProject({ key: 'shop' }))
        const insertion = store.collection('projects').insert(testProject({ _id, key: 'other' }))
        await expect(insertion).rejects.toMatchObject({
          name: 'DuplicateError',
          collection: 'projects',
          members: { _id }
        })
        expect(await store.collection('projects').get({ key: 'other' })).toBeUndefined()
      })

      test('refuses a second item with the same unique key, in the same scope only', async () => {
        await store.collection('variables').insert(testVariable({ _project: testId(1), key: 'banner' }))
        await store.collection('variables').insert(testVariable({ _project: testId(2), key: 'banner' }))
        const insertion = store.collection('variables').insert(testVariable({ _project: testId(1), key: 'banner' }))
        await expect(insertion).rejects.toMatchObject({ members: { _project: testId(1), key: 'banner' } })
        expect((await store.collection('variables').list()).count).toBe(2)
      })

      test('refuses an update that takes the key of another item', async () => {
        await store.collection('projects').insert(testProject({ key: 'shop' }))
        const blog = await store.collection('projects').insert(testProject({ key: 'blog' }))
        await expect(store.collection('projects').update(blog._id, { key: 'shop' })).rejects.toThrow(DuplicateError)
        expect(await store.collection('projects').get({ _id: blog._id })).toEqual(blog)
      })

      test('lets an item keep its key, and frees a key that is changed or removed', async () => {
        const shop = await store.collection('projects').insert(testProject({ key: 'shop' }))
        expect(await store.collection('projects').update(shop._id, { key: 'shop', name: 'Shop' })).toBeDefined()
        await store.collection('projects').update(shop._id, { key: 'store' })
        const next = await store.collection('projects').insert(testProject({ key: 'shop' }))
        await store.collection('projects').remove(next._id)
        expect(await store.collection('projects').insert(testProject({ key: 'shop' }))).toBeDefined()
        expect((await store.collection('projects').get({ key: 'store' }))?._id).toBe(shop._id)
      })
    })

    describe('lists', () => {
      const names = async (query: Parameters<ReturnType<typeof projects>['list']>[0]) =>
        (await projects().list(query)).items.map((item) => item.name)
      const projects = () => store.collection('projects')
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
          await store.collection('edgeUsers').insert(testEdgeUser(seen === undefined ? {} : { lastSeenDate: seen }))
        }
        const seen = async (sortOrder: 'asc' | 'desc') =>
          (await store.collection('edgeUsers').list({ sortBy: 'lastSeenDate', sortOrder })).items.map(
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
        for (const user of days) await store.collection('edgeUsers').insert(user)
        const order = async (query: Query<StoredEdgeUser>) => {
          return (await store.collection('edgeUsers').list(query)).items.map(({ createdAt }) => Number(createdAt[9]))
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
          await store.collection('variables').insert(testVariable({ _project: testId(number) }))
        const page = await store.collection('variables').list({ where: { _project: testId(1) }, page: 2, perPage: 2 })
        expect(page.count).toBe(3)
        expect(page.items).toHaveLength(1)
      })

      test('matches a whole unique key in a list as well', async () => {
        const one = await store.collection('configurations').insert(configuration(testId(1), testId(2)))
        await store.collection('configurations').insert(configuration(testId(1), testId(3)))
        const { items } = await store
          .collection('configurations')
          .list({ where: { _feature: testId(1), _environment: testId(2) } })
        expect(items).toEqual([one])
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

      test.each([
        ['NUL', 'shop\0'],
        ['half a surrogate pair', 'shop\ud800']
      ])('finds nothing by a text with %s, which no item has', async (_, text) => {
        const projects = store.collection('projects')
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
        const users = await store.collection('users').list({ including: { provisionedGroups: text } })
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

      const variables = () => store.collection('variables')
      const keys = async (query: Parameters<ReturnType<typeof variables>['list']>[0]) =>
        (await variables().list({ sortBy: 'key', ...query })).items.map(({ key }) => key)
    })

    describe('secondary indexes', () => {
      const variables = () => store.collection('variables')
      const of = async (where: Partial<Pick<StoredVariable, '_feature' | '_project'>>, within = store) =>
        (await within.collection('variables').list({ where })).items.map(({ _id }) => _id)

      test('reflect insertions, updates and removals', async () => {
        const one = await variables().insert(testVariable({ _id: testId(1), _feature: testId(0xf) }))
        const two = await variables().insert(testVariable({ _id: testId(2), _feature: testId(0xf) }))
        await variables().insert(testVariable({ _id: testId(3) }))
        expect(await of({ _feature: testId(0xf) })).toEqual([testId(1), testId(2)])
        await variables().update(one._id, { _feature: testId(0xe) })
        await variables().update(two._id, { name: 'Renamed' })
        await variables().update(testId(3), { _feature: testId(0xf) })
        expect(await of({ _feature: testId(0xf) })).toEqual([testId(2), testId(3)])
        expect(await of({ _feature: testId(0xe) })).toEqual([testId(1)])
        await variables().update(testId(3), { _feature: undefined })
        await variables().remove(two._id)
        expect(await of({ _feature: testId(0xf) })).toEqual([])
        expect((await variables().list()).count).toBe(2)
      })

      test('combine with other members, and return the lowest id for a single item', async () => {
        await variables().insert(
          testVariable({ _id: testId(9), _feature: testId(0xf), _project: testId(1), name: 'Same' })
        )
        await variables().insert(
          testVariable({ _id: testId(8), _feature: testId(0xf), _project: testId(2), name: 'Same' })
        )
        await variables().insert(
          testVariable({ _id: testId(7), _feature: testId(0xe), _project: testId(2), name: 'Other' })
        )
        expect(await of({ _feature: testId(0xf), _project: testId(2) })).toEqual([testId(8)])
        expect(await of({ _feature: testId(0xe), _project: testId(1) })).toEqual([])
        expect((await variables().get({ _feature: testId(0xf) }))?._id).toBe(testId(8))
        expect((await variables().get({ _feature: testId(0xf), _project: testId(1) }))?._id).toBe(testId(9))
        expect(await variables().get({ _feature: testId(0xd) })).toBeUndefined()
      })

      test('show a transaction its own writes, and hide those of a failed one', async () => {
        const _feature = testId(0xf)
        await variables().insert(testVariable({ _id: testId(1), _feature }))
        const failing = store.transaction(async (inside) => {
          await inside.collection('variables').insert(testVariable({ _id: testId(2), _feature }))
          await inside.collection('variables').remove(testId(1))
          expect(await of({ _feature }, inside)).toEqual([testId(2)])
          expect(await of({ _feature })).toEqual([testId(1)])
          throw new Error('on purpose')
        })
        await expect(failing).rejects.toThrow('on purpose')
        expect(await of({ _feature })).toEqual([testId(1)])
      })

      test('contain many items with one value, in the order of their ids', async () => {
        const ids = Array.from({ length: 100 }, (_, number) => testId(number + 1))
        await store.transaction(async (inside) => {
          for (const _id of [...ids].reverse()) await inside.collection('variables').insert(testVariable({ _id }))
        })
        expect(await of({ _project: testId(1) })).toEqual(ids)
      })
    })

    describe('history', () => {
      const entries = () => store.collection('auditEntries')

      test('is written together with its changes, or not at all', async () => {
        const shop = await store.transaction(async (inside) => {
          await inside.collection('auditEntries').insert(testAuditEntry({ _id: testId(1) }))
          return inside.collection('projects').insert(testProject())
        })
        const failing = store.transaction(async (inside) => {
          await inside.collection('projects').update(shop._id, { name: 'Changed' })
          await inside.collection('auditEntries').insert(testAuditEntry({ _id: testId(2) }))
          throw new Error('on purpose')
        })
        await expect(failing).rejects.toThrow('on purpose')
        expect((await store.collection('projects').list()).items).toEqual([shop])
        expect((await entries().list()).items.map(({ _id }) => _id)).toEqual([testId(1)])
      })

      test('can be the only collection that a transaction writes', async () => {
        const entry = await entries().insert(testAuditEntry())
        expect(await entries().get({ _id: entry._id })).toEqual(entry)
        expect(Object.isFrozen((await entries().get({ _id: entry._id }))?._environments)).toBe(true)
        await expect(entries().insert(entry)).rejects.toThrow(DuplicateError)
        expect(await entries().remove(entry._id)).toEqual(entry)
        expect((await entries().list()).count).toBe(0)
      })

      test('is listed by feature, environment and time', async () => {
        const [day, next] = ['2026-11-20T10:00:00.000Z', '2026-11-21T10:00:00.000Z']
        const insert = (number: number, members: Partial<StoredAuditEntry>) =>
          entries().insert(testAuditEntry({ _id: testId(number), ...members }))
        await insert(1, { createdAt: day, _feature: testId(0xf), _environments: [testId(0xa), testId(0xb)] })
        await insert(2, { createdAt: next, _feature: testId(0xf), _environments: [testId(0xb)] })
        await insert(3, { createdAt: next, _feature: testId(0xe), _environments: [testId(0xb)] })
        const of = async (query: Parameters<ReturnType<typeof entries>['list']>[0]) =>
          (await entries().list(query)).items.map(({ _id }) => _id)
        expect(await of({ where: { _feature: testId(0xf) }, sortBy: 'createdAt', sortOrder: 'desc' })).toEqual([
          testId(2),
          testId(1)
        ])
        expect(await of({ where: { _project: testId(1) }, including: { _environments: testId(0xa) } })).toEqual([
          testId(1)
        ])
        expect(await of({ between: { member: 'createdAt', from: next } })).toEqual([testId(2), testId(3)])
      })

      test('has whole entries, several of one transaction too, for that transaction and for the next one', async () => {
        const added = [1, 2, 3].map((number) =>
          testAuditEntry({ _id: testId(number), ...changesOf(`é\u2028"${number}`) })
        )
        const insert = store.transaction(async (inside) => {
          for (const entry of added) await inside.collection('auditEntries').insert(entry)
          expect((await inside.collection('auditEntries').list()).items).toEqual(added)
          expect(await inside.collection('auditEntries').remove(testId(2))).toEqual(added[1])
        })
        // May start before the first one is durable.
        const [next] = await Promise.all([
          store.transaction((inside) => inside.collection('auditEntries').get({ _id: testId(3) })),
          insert
        ])
        expect(next).toEqual(added[2])
        expect((await entries().list()).items).toEqual([added[0], added[2]])
        expect(await entries().get({ _id: testId(1) })).toEqual(added[0])
      })

      test('is scanned in the order of a list', async () => {
        await store.transaction(async (inside) => {
          for (let position = 1; position <= 250; position++) {
            const entry = testAuditEntry({ position, ...changesOf('x'.repeat(position * 10)) })
            await inside.collection('auditEntries').insert(entry)
          }
        })
        const query = { where: { _project: testId(1) }, sortBy: 'position', sortOrder: 'desc' } as const
        const { items, count } = await entries().list(query)
        expect([count, items[0]?.position]).toEqual([250, 250])
        expect(await listAll(entries().scan(query))).toEqual(items)
        const texts = ['no entry has this', 'X'.repeat(2_400)]
        const matches = ({ changes }: StoredAuditEntry) => String(changes[0]?.newContents?.name).length >= 2_400
        expect((await listAll(entries().scan({ ...query, hint: texts }))).filter(matches)).toEqual(items.slice(0, 11))
        expect(await listAll(store.collection('projects').scan({ hint: texts }))).toEqual([])
        await store.transaction(async (inside) => {
          expect(await listAll(inside.collection('auditEntries').scan(query))).toEqual(items)
        })
      })

      test('is not written together with user data', async () => {
        const transaction = store.transaction(async (inside) => {
          await inside.collection('auditEntries').insert(testAuditEntry())
          await inside.collection('edgeUsers').insert(testEdgeUser())
        })
        await expect(transaction).rejects.toThrow('a transaction of their own')
        expect((await entries().list()).count).toBe(0)
      })
    })

    describe('transactions', () => {
      test('makes all writes visible together, and returns the result of the work', async () => {
        const { insideCount, outsideCount } = await store.transaction(async (inside) => {
          await inside.collection('projects').insert(testProject())
          await inside.collection('variables').insert(testVariable())
          const { count: insideCount } = await inside.collection('projects').list()
          const { count: outsideCount } = await store.collection('projects').list()
          return { insideCount, outsideCount }
        })
        expect([insideCount, outsideCount]).toEqual([1, 0])
        expect((await store.collection('projects').list()).count).toBe(1)
        expect((await store.collection('variables').list()).count).toBe(1)
      })

      test('sees its own insertions, updates and removals, by unique key too', async () => {
        const old = await store.collection('projects').insert(testProject({ key: 'old' }))
        await store.transaction(async (inside) => {
          const shop = await inside.collection('projects').insert(testProject({ key: 'shop' }))
          await inside.collection('projects').update(shop._id, { key: 'store' })
          await inside.collection('projects').remove(old._id)
          expect(await inside.collection('projects').get({ key: 'shop' })).toBeUndefined()
          expect(await inside.collection('projects').get({ key: 'old' })).toBeUndefined()
          expect((await inside.collection('projects').get({ key: 'store' }))?._id).toBe(shop._id)
          expect(await store.collection('projects').get({ key: 'old' })).toEqual(old)
        })
      })

      test('keeps no writes when the work throws, and rejects with its error', async () => {
        const shop = await store.collection('projects').insert(testProject({ key: 'shop' }))
        const changes: Change[] = []
        store.subscribe((change) => void changes.push(change))
        const failure = new Error('on purpose')
        const transaction = store.transaction(async (inside) => {
          await inside.collection('projects').insert(testProject({ key: 'blog' }))
          await inside.collection('projects').update(shop._id, { name: 'Changed' })
          throw failure
        })
        await expect(transaction).rejects.toBe(failure)
        expect((await store.collection('projects').list()).items).toEqual([shop])
        expect(await store.collection('projects').insert(testProject({ key: 'blog' }))).toBeDefined()
        expect(changes).toHaveLength(1)
      })

      test('continues after a rejected write that the work caught', async () => {
        await store.collection('projects').insert(testProject({ key: 'shop' }))
        await store.transaction(async (inside) => {
          await expect(inside.collection('projects').insert(testProject({ key: 'shop' }))).rejects.toThrow(
            DuplicateError
          )
          await inside.collection('projects').insert(testProject({ key: 'blog' }))
        })
        expect((await store.collection('projects').list()).count).toBe(2)
      })

      test('run one after another, so that no update is lost', async () => {
        const { _id } = await store.collection('projects').insert(testProject({ name: '0' }))
        const increment = () =>
          store.transaction(async (inside) => {
            const { name } = (await inside.collection('projects').get({ _id })) ?? testProject()
            await new Promise((resolve) => setTimeout(resolve, 1))
            await inside.collection('projects').update(_id, { name: String(Number(name) + 1) })
          })
        await Promise.all(Array.from({ length: 20 }, increment))
        expect((await store.collection('projects').get({ _id }))?.name).toBe('20')
      })

      test('lets one of several concurrent insertions of a key win', async () => {
        const insertions = Array.from({ length: 8 }, () =>
          store.collection('projects').insert(testProject({ key: 'shop' }))
        )
        const outcomes = await Promise.allSettled(insertions)
        expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
        expect((await store.collection('projects').list()).count).toBe(1)
      })

      test('treats a nested transaction as a part that can fail alone', async () => {
        await store.transaction(async (inside) => {
          await inside.collection('projects').insert(testProject({ key: 'kept' }))
          const part = inside.transaction(async (within) => {
            await within.collection('projects').insert(testProject({ key: 'dropped' }))
            throw new Error('on purpose')
          })
          await expect(part).rejects.toThrow('on purpose')
          await inside.transaction(async (within) => {
            expect(await within.collection('projects').get({ key: 'kept' })).toBeDefined()
            await within.collection('projects').insert(testProject({ key: 'added' }))
          })
        })
        const { items } = await store.collection('projects').list({ sortBy: 'key' })
        expect(items.map((item) => item.key)).toEqual(['added', 'kept'])
      })

      test('rejects writes of user data and other collections together', async () => {
        const transaction = store.transaction(async (inside) => {
          await inside.collection('projects').insert(testProject())
          await inside.collection('edgeUsers').insert(testEdgeUser())
        })
        await expect(transaction).rejects.toThrow('a transaction of their own')
        const reversed = store.transaction(async (inside) => {
          await inside.collection('edgeUsers').insert(testEdgeUser())
          await inside.collection('projects').insert(testProject())
        })
        await expect(reversed).rejects.toThrow('a transaction of their own')
        expect((await store.collection('projects').list()).count).toBe(0)
        expect((await store.collection('edgeUsers').list()).count).toBe(0)
      })

      test('can read other collections while writing user data', async () => {
        const shop = await store.collection('projects').insert(testProject())
        await store.transaction(async (inside) => {
          const known = await inside.collection('projects').get({ _id: shop._id })
          await inside.collection('edgeUsers').insert(testEdgeUser({ _project: known?._id ?? '' }))
        })
        expect((await store.collection('edgeUsers').list({ where: { _project: shop._id } })).count).toBe(1)
      })

      test('fails a call that outlives its transaction', async () => {
        const late = await store.transaction(async (inside) => inside.collection('projects'))
        await expect(late.insert(testProject())).rejects.toThrow('after its transaction')
        expect((await store.collection('projects').list()).count).toBe(0)
      })
    })

    describe('subscriptions', () => {
      test('report the writes of each transaction, in order, with the items before and after', async () => {
        const changes: Change[] = []
        store.subscribe((change) => void changes.push(change))
        const shop = await store.collection('projects').insert(testProject({ key: 'shop' }))
        await store.transaction(async (inside) => {
          await inside.collection('projects').update(shop._id, { name: 'Shop' })
          await inside.collection('projects').remove(shop._id)
        })
        const named = { ...shop, name: 'Shop' }
        expect(changes).toEqual([
          { writes: [{ collection: 'projects', after: shop }] },
          {
            writes: [
              { collection: 'projects', before: shop, after: named },
              { collection: 'projects', before: named }
            ]
          }
        ])
      })

      test('are notified before the promise resolves and after the change is visible', async () => {
        const order: string[] = []
        let reading: Promise<unknown> | undefined
        store.subscribe(() => {
          order.push('notified')
          reading = store.collection('projects').get({ key: 'shop' })
        })
        await store.collection('projects').insert(testProject({ key: 'shop' }))
        order.push('resolved')
        expect(order).toEqual(['notified', 'resolved'])
        expect(await reading).toBeDefined()
      })

      test('delay the write until the listener has finished', async () => {
        let isDone = false
        store.subscribe(async () => {
          await new Promise((resolve) => setTimeout(resolve, 5))
          isDone = true
        })
        await store.collection('projects').insert(testProject())
        expect(isDone).toBe(true)
      })

      test('skip transactions without writes', async () => {
        const changes: Change[] = []
        store.subscribe((change) => void changes.push(change))
        await store.transaction((inside) => inside.collection('projects').list())
        await store.collection('projects').remove(testId(1))
        expect(changes).toEqual([])
      })

      test('end when they are removed', async () => {
        const changes: Change[] = []
        const end = store.subscribe((change) => void changes.push(change))
        end()
        await store.collection('projects').insert(testProject())
        expect(changes).toEqual([])
      })

      test('do not affect the write when a listener throws', async () => {
        const changes: Change[] = []
        store.subscribe(() => {
          throw new Error('on purpose')
        })
        store.subscribe(async () => {
          throw new Error('on purpose, later')
        })
        store.subscribe((change) => void changes.push(change))
        await store.collection('projects').insert(testProject())
        expect(changes).toHaveLength(1)
        expect(store.isWritable()).toBe(true)
        expect((await store.collection('projects').list()).count).toBe(1)
      })
    })

    test('is writable from the start, and can be closed twice', async () => {
      expect(store.isWritable()).toBe(true)
      const write = store.collection('projects').insert(testProject())
      await store.close()
      await store.close()
      expect(await write).toBeDefined()
      await expect(store.collection('projects').insert(testProject())).rejects.toThrow('closed')
    })
  })
}

const off = { enabled: false }

const settings: StoredProject['settings'] = {
  edgeDB: { enabled: true },
  optIn: off,
  sdkTypeVisibility: { enabledInFeatureSettings: false },
  lifeCycle: { disableCodeRefChecks: false },
  obfuscation: { enabled: false, required: false },
  disablePassthroughRollouts: false,
  observability: { enabled: false, environmentMap: {} },
  featureApprovalWorkflow: { enabled: false, allowPublisherBypass: false, defaultReviewers: [] },
  staleness: {
    enabled: false,
    released: off,
    unmodifiedLong: off,
    unmodifiedShort: off,
    unused: off,
    email: { enabled: false, frequency: 'weekly', users: [] }
  }
}

let count = 0

/** Returns a well-formed id that encodes a number. */
export function testId(number: number): string {
  return number.toString(16).padStart(24, '0')
}

/** Returns a project with a new id and key and the given members. */
export function testProject(members: Partial<StoredProject> = {}): StoredProject {
  return {
    ...stored(),
    name: 'A project',
    _organization: 'organization',
    settings,
    ...members
  }
}

/** Returns a variable with a new id and key and the given members. */
export function testVariable(members: Partial<StoredVariable> = {}): StoredVariable {
  const common = { source: 'api', type: 'Boolean', status: 'active', tags: [] } as const
  return { ...stored(), _project: testId(1), name: 'A variable', ...common, ...members }
}

/** Returns an audit entry with a new id and the given members. */
export function testAuditEntry(members: Partial<StoredAuditEntry> = {}): StoredAuditEntry {
  const { key, ...rest } = stored()
  const common = { _organization: 'organization', _environments: [], changes: [] }
  return { ...rest, _project: testId(1), idp_user: key, ...common, ...members }
}

async function listAll<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}

function changesOf(name: string): Pick<StoredAuditEntry, 'changes'> {
  return { changes: [{ type: 'modifiedFeature', newContents: { name }, previousContents: null }] }
}

/** Returns an edge user with a new id and the given members. */
export function testEdgeUser(members: Partial<StoredEdgeUser> = {}): StoredEdgeUser {
  const { key, ...rest } = stored()
  return { ...rest, _project: testId(1), user_id: key, ...members }
}

function configuration(_feature: string, _environment: string): StoredConfiguration {
  const { key, ...rest } = stored()
  return { ...rest, _project: testId(1), _feature, _environment, status: 'active', targets: [] }
}

function stored() {
  count++
  const createdAt = '2026-11-20T10:00:00.000Z'
  // Does not collide with the ids that tests choose.
  return { _id: testId(0x1000000 + count), key: `key-${count}`, createdAt, updatedAt: createdAt }
}

const version = { _id: '1'.padStart(24, '0'), lastModified: 1, madeBy: '0.0.0' }
