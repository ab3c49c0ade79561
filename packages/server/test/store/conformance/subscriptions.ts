import { describe, expect, test } from 'vitest'
import type { Change } from '../../../src/storage/store.ts'
import { testId, testProject } from './fixtures.ts'
import { type OpenStore, useStore } from './useStore.ts'

/** Listeners of committed changes. */
export function describeSubscriptions(open: OpenStore): void {
  describe('subscriptions', () => {
    const store = useStore(open)

    test('report the writes of each transaction, in order, with the items before and after', async () => {
      const changes: Change[] = []
      store().subscribe((change) => void changes.push(change))
      const shop = await store()
        .collection('projects')
        .insert(testProject({ key: 'shop' }))
      await store().transaction(async (inside) => {
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
      store().subscribe(() => {
        order.push('notified')
        reading = store().collection('projects').get({ key: 'shop' })
      })
      await store()
        .collection('projects')
        .insert(testProject({ key: 'shop' }))
      order.push('resolved')
      expect(order).toEqual(['notified', 'resolved'])
      expect(await reading).toBeDefined()
    })

    test('delay the write until the listener has finished', async () => {
      let isDone = false
      store().subscribe(async () => {
        await new Promise((resolve) => setTimeout(resolve, 5))
        isDone = true
      })
      await store().collection('projects').insert(testProject())
      expect(isDone).toBe(true)
    })

    test('skip transactions without writes', async () => {
      const changes: Change[] = []
      store().subscribe((change) => void changes.push(change))
      await store().transaction((inside) => inside.collection('projects').list())
      await store().collection('projects').remove(testId(1))
      expect(changes).toEqual([])
    })

    test('end when they are removed', async () => {
      const changes: Change[] = []
      const end = store().subscribe((change) => void changes.push(change))
      end()
      await store().collection('projects').insert(testProject())
      expect(changes).toEqual([])
    })

    test('do not affect the write when a listener throws', async () => {
      const changes: Change[] = []
      store().subscribe(() => {
        throw new Error('on purpose')
      })
      store().subscribe(async () => {
        throw new Error('on purpose, later')
      })
      store().subscribe((change) => void changes.push(change))
      await store().collection('projects').insert(testProject())
      expect(changes).toHaveLength(1)
      expect(store().isWritable()).toBe(true)
      expect((await store().collection('projects').list()).count).toBe(1)
    })
  })
}
