import { describe, expect, test } from 'vitest'
import type { StoredAuditEntry } from '../../../src/storage/resources/history.ts'
import { DuplicateError } from '../../../src/storage/store.ts'
import { testAuditEntry, testEdgeUser, testId, testProject } from './fixtures.ts'
import { type OpenStore, useStore } from './useStore.ts'

/** Audit entries, which stores keep apart from the other collections. */
export function describeHistory(open: OpenStore): void {
  describe('history', () => {
    const store = useStore(open)

    const entries = () => store().collection('auditEntries')

    test('is written together with its changes, or not at all', async () => {
      const shop = await store().transaction(async (inside) => {
        await inside.collection('auditEntries').insert(testAuditEntry({ _id: testId(1) }))
        return inside.collection('projects').insert(testProject())
      })
      const failing = store().transaction(async (inside) => {
        await inside.collection('projects').update(shop._id, { name: 'Changed' })
        await inside.collection('auditEntries').insert(testAuditEntry({ _id: testId(2) }))
        throw new Error('on purpose')
      })
      await expect(failing).rejects.toThrow('on purpose')
      expect((await store().collection('projects').list()).items).toEqual([shop])
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
      const insert = store().transaction(async (inside) => {
        for (const entry of added) await inside.collection('auditEntries').insert(entry)
        expect((await inside.collection('auditEntries').list()).items).toEqual(added)
        expect(await inside.collection('auditEntries').remove(testId(2))).toEqual(added[1])
      })
      // May start before the first one is durable.
      const [next] = await Promise.all([
        store().transaction((inside) => inside.collection('auditEntries').get({ _id: testId(3) })),
        insert
      ])
      expect(next).toEqual(added[2])
      expect((await entries().list()).items).toEqual([added[0], added[2]])
      expect(await entries().get({ _id: testId(1) })).toEqual(added[0])
    })

    test('is scanned in the order of a list', async () => {
      await store().transaction(async (inside) => {
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
      expect(await listAll(store().collection('projects').scan({ hint: texts }))).toEqual([])
      await store().transaction(async (inside) => {
        expect(await listAll(inside.collection('auditEntries').scan(query))).toEqual(items)
      })
    })

    test('is not written together with user data', async () => {
      const transaction = store().transaction(async (inside) => {
        await inside.collection('auditEntries').insert(testAuditEntry())
        await inside.collection('edgeUsers').insert(testEdgeUser())
      })
      await expect(transaction).rejects.toThrow('a transaction of their own')
      expect((await entries().list()).count).toBe(0)
    })
  })
}

async function listAll<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}

function changesOf(name: string): Pick<StoredAuditEntry, 'changes'> {
  return { changes: [{ type: 'modifiedFeature', newContents: { name }, previousContents: null }] }
}
