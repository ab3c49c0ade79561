import { describe, expect, test } from 'vitest'
import { type Change, DuplicateError } from '../../../src/storage/store.ts'
import { testEdgeUser, testProject, testVariable } from './fixtures.ts'
import { type OpenStore, useStore } from './useStore.ts'

/** Transactions: all or nothing, one after another. */
export function describeTransactions(open: OpenStore): void {
  describe('transactions', () => {
    const store = useStore(open)

    test('makes all writes visible together, and returns the result of the work', async () => {
      const { insideCount, outsideCount } = await store().transaction(async (inside) => {
        await inside.collection('projects').insert(testProject())
        await inside.collection('variables').insert(testVariable())
        const { count: insideCount } = await inside.collection('projects').list()
        const { count: outsideCount } = await store().collection('projects').list()
        return { insideCount, outsideCount }
      })
      expect([insideCount, outsideCount]).toEqual([1, 0])
      expect((await store().collection('projects').list()).count).toBe(1)
      expect((await store().collection('variables').list()).count).toBe(1)
    })

    test('sees its own insertions, updates and removals, by unique key too', async () => {
      const old = await store()
        .collection('projects')
        .insert(testProject({ key: 'old' }))
      await store().transaction(async (inside) => {
        const shop = await inside.collection('projects').insert(testProject({ key: 'shop' }))
        await inside.collection('projects').update(shop._id, { key: 'store' })
        await inside.collection('projects').remove(old._id)
        expect(await inside.collection('projects').get({ key: 'shop' })).toBeUndefined()
        expect(await inside.collection('projects').get({ key: 'old' })).toBeUndefined()
        expect((await inside.collection('projects').get({ key: 'store' }))?._id).toBe(shop._id)
        expect(await store().collection('projects').get({ key: 'old' })).toEqual(old)
      })
    })

    test('keeps no writes when the work throws, and rejects with its error', async () => {
      const shop = await store()
        .collection('projects')
        .insert(testProject({ key: 'shop' }))
      const changes: Change[] = []
      store().subscribe((change) => void changes.push(change))
      const failure = new Error('on purpose')
      const transaction = store().transaction(async (inside) => {
        await inside.collection('projects').insert(testProject({ key: 'blog' }))
        await inside.collection('projects').update(shop._id, { name: 'Changed' })
        throw failure
      })
      await expect(transaction).rejects.toBe(failure)
      expect((await store().collection('projects').list()).items).toEqual([shop])
      expect(
        await store()
          .collection('projects')
          .insert(testProject({ key: 'blog' }))
      ).toBeDefined()
      expect(changes).toHaveLength(1)
    })

    test('continues after a rejected write that the work caught', async () => {
      await store()
        .collection('projects')
        .insert(testProject({ key: 'shop' }))
      await store().transaction(async (inside) => {
        await expect(inside.collection('projects').insert(testProject({ key: 'shop' }))).rejects.toThrow(DuplicateError)
        await inside.collection('projects').insert(testProject({ key: 'blog' }))
      })
      expect((await store().collection('projects').list()).count).toBe(2)
    })

    test('run one after another, so that no update is lost', async () => {
      const { _id } = await store()
        .collection('projects')
        .insert(testProject({ name: '0' }))
      const increment = () =>
        store().transaction(async (inside) => {
          const { name } = (await inside.collection('projects').get({ _id })) ?? testProject()
          await new Promise((resolve) => setTimeout(resolve, 1))
          await inside.collection('projects').update(_id, { name: String(Number(name) + 1) })
        })
      await Promise.all(Array.from({ length: 20 }, increment))
      expect((await store().collection('projects').get({ _id }))?.name).toBe('20')
    })

    test('lets one of several concurrent insertions of a key win', async () => {
      const insertions = Array.from({ length: 8 }, () =>
        store()
          .collection('projects')
          .insert(testProject({ key: 'shop' }))
      )
      const outcomes = await Promise.allSettled(insertions)
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      expect((await store().collection('projects').list()).count).toBe(1)
    })

    test('treats a nested transaction as a part that can fail alone', async () => {
      await store().transaction(async (inside) => {
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
      const { items } = await store().collection('projects').list({ sortBy: 'key' })
      expect(items.map((item) => item.key)).toEqual(['added', 'kept'])
    })

    test('rejects writes of user data and other collections together', async () => {
      const transaction = store().transaction(async (inside) => {
        await inside.collection('projects').insert(testProject())
        await inside.collection('edgeUsers').insert(testEdgeUser())
      })
      await expect(transaction).rejects.toThrow('a transaction of their own')
      const reversed = store().transaction(async (inside) => {
        await inside.collection('edgeUsers').insert(testEdgeUser())
        await inside.collection('projects').insert(testProject())
      })
      await expect(reversed).rejects.toThrow('a transaction of their own')
      expect((await store().collection('projects').list()).count).toBe(0)
      expect((await store().collection('edgeUsers').list()).count).toBe(0)
    })

    test('can read other collections while writing user data', async () => {
      const shop = await store().collection('projects').insert(testProject())
      await store().transaction(async (inside) => {
        const known = await inside.collection('projects').get({ _id: shop._id })
        await inside.collection('edgeUsers').insert(testEdgeUser({ _project: known?._id ?? '' }))
      })
      expect(
        (
          await store()
            .collection('edgeUsers')
            .list({ where: { _project: shop._id } })
        ).count
      ).toBe(1)
    })

    test('fails a call that outlives its transaction', async () => {
      const late = await store().transaction(async (inside) => inside.collection('projects'))
      await expect(late.insert(testProject())).rejects.toThrow('after its transaction')
      expect((await store().collection('projects').list()).count).toBe(0)
    })
  })
}
