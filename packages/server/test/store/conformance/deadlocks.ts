import { describe, expect, test } from 'vitest'
import { testProject, testVariable } from './fixtures.ts'
import { type OpenStore, useStore } from './useStore.ts'

/** Writes through the outer store, which would wait for themselves for ever. */
export function describeDeadlocks(open: OpenStore): void {
  describe('a write that would deadlock', () => {
    const store = useStore(open)

    const insert = () =>
      store()
        .collection('projects')
        .insert(testProject({ key: 'other' }))
    const count = async () => (await store().collection('projects').list()).count

    test('fails through the outer store in a transaction, and later writes succeed', async () => {
      const transaction = store().transaction(async (inside) => {
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
        return store().transaction(() => insert())
      }
      await expect(store().transaction((inside) => inside.transaction(deep))).rejects.toThrow('use the store')
      expect(await count()).toBe(0)
    })

    test('can be handled inside the transaction, whose own writes are kept', async () => {
      await store().transaction(async (inside) => {
        await inside.collection('projects').insert(testProject())
        await expect(insert()).rejects.toThrow('use the store')
      })
      expect(await count()).toBe(1)
    })

    test('fails in a beforeCommit hook, and so does its transaction', async () => {
      const end = store().beforeCommit(async () => void (await insert()))
      await expect(store().collection('variables').insert(testVariable())).rejects.toThrow('use the store')
      end()
      expect(await store().collection('variables').list()).toMatchObject({ count: 0 })
      await insert()
    })

    test('fails in a listener, before and after the listener awaits, and leaves the change and later writes', async () => {
      const refused: unknown[] = []
      const end = store().subscribe(async () => {
        await insert().catch((error) => refused.push(error))
        await new Promise((resolve) => setTimeout(resolve, 1))
        await insert().catch((error) => refused.push(error))
      })
      const { _id } = await store().collection('projects').insert(testProject())
      expect(refused.map(String)).toEqual(Array(2).fill(expect.stringContaining('a listener cannot write')))
      end()
      await insert()
      expect(await store().collection('projects').get({ _id })).toBeDefined()
    })

    test('succeeds once the listener or transaction that started it has ended', async () => {
      let written: Promise<unknown> | undefined
      const later = () => new Promise((resolve) => setTimeout(resolve, 5)).then(insert)
      const end = store().subscribe(() => {
        written = later()
        end()
      })
      await store().collection('variables').insert(testVariable())
      await written
      await store().transaction(async () => {
        written = new Promise((resolve) => setTimeout(resolve, 5)).then(() => store().collection('projects').list())
      })
      await written
      expect(await count()).toBe(1)
    })

    test('does not affect concurrent writes of other callers', async () => {
      let start = () => {}
      const started = new Promise<void>((resolve) => {
        start = resolve
      })
      const others = started.then(() => Promise.all([insert(), store().collection('variables').insert(testVariable())]))
      await store().transaction(async (inside) => {
        start()
        await new Promise((resolve) => setTimeout(resolve, 5))
        await inside.collection('projects').insert(testProject({ key: 'shop' }))
      })
      await others
      expect(await count()).toBe(2)
    })
  })
}
