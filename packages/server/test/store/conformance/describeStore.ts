import { describe, expect, test } from 'vitest'
import { describeBeforeCommitHooks } from './beforeCommitHooks.ts'
import { describeDeadlocks } from './deadlocks.ts'
import { testProject } from './fixtures.ts'
import { describeHistory } from './history.ts'
import { describeItems } from './items.ts'
import { describeLists } from './lists.ts'
import { describeSecondaryIndexes } from './secondaryIndexes.ts'
import { describeSubscriptions } from './subscriptions.ts'
import { describeTransactions } from './transactions.ts'
import { describeUniqueKeys } from './uniqueKeys.ts'
import { type OpenStore, useStore } from './useStore.ts'

/** The conformance tests of stores; `open` returns an empty one each time. */
export function describeStore(name: string, open: OpenStore): void {
  describe(name, () => {
    describeBeforeCommitHooks(open)
    describeDeadlocks(open)
    describeItems(open)
    describeUniqueKeys(open)
    describeLists(open)
    describeSecondaryIndexes(open)
    describeHistory(open)
    describeTransactions(open)
    describeSubscriptions(open)

    describe('a store', () => {
      const store = useStore(open)

      test('is writable from the start, and can be closed twice', async () => {
        expect(store().isWritable()).toBe(true)
        const write = store().collection('projects').insert(testProject())
        await store().close()
        await store().close()
        expect(await write).toBeDefined()
        await expect(store().collection('projects').insert(testProject())).rejects.toThrow('closed')
      })
    })
  })
}
