import { describe, expect, test } from 'vitest'
import type { Change } from '../../../src/storage/store.ts'
import { testId, testProject } from './fixtures.ts'
import { type OpenStore, useStore } from './useStore.ts'

/** Hooks that run before a transaction becomes durable. */
export function describeBeforeCommitHooks(open: OpenStore): void {
  describe('beforeCommit hooks', () => {
    const store = useStore(open)

    test('add writes that become durable with the transaction', async () => {
      const changes: Change[] = []
      store().subscribe((change) => void changes.push(change))
      const end = store().beforeCommit(async ({ writes }, transaction) => {
        const [{ after } = {}] = writes
        if (after) await transaction.collection('configVersions').insert({ ...version, _id: after._id })
      })
      const { _id } = await store().collection('projects').insert(testProject())
      expect(await store().collection('configVersions').get({ _id })).toEqual({ ...version, _id })
      expect(changes.map(({ writes }) => writes.map(({ collection }) => collection))).toEqual([
        ['projects', 'configVersions']
      ])
      end()
      await store()
        .collection('projects')
        .insert(testProject({ _id: testId(2), key: 'other' }))
      expect((await store().collection('configVersions').list()).count).toBe(1)
    })

    test('see the writes of the transaction and of earlier hooks', async () => {
      const seen: number[] = []
      store().beforeCommit(async ({ writes }, transaction) => {
        seen.push(writes.length, (await transaction.collection('projects').list()).count)
        await transaction.collection('configVersions').insert(version)
      })
      store().beforeCommit(async ({ writes }) => void seen.push(writes.length))
      await store().collection('projects').insert(testProject())
      expect(seen).toEqual([1, 1, 2])
    })

    test('fail the transaction when they fail, and do not run for one without writes', async () => {
      store().beforeCommit(async () => {
        throw new Error('on purpose')
      })
      await expect(store().collection('projects').insert(testProject())).rejects.toThrow('on purpose')
      expect((await store().collection('projects').list()).count).toBe(0)
      expect(await store().transaction(async () => 'nothing')).toBe('nothing')
    })
  })
}

const version = { _id: '1'.padStart(24, '0'), lastModified: 1, madeBy: '0.0.0' }
