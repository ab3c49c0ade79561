import { describe, expect, test } from 'vitest'
import type { StoredVariable } from '../../../src/storage/resources/feature.ts'
import { testId, testVariable } from './fixtures.ts'
import { type OpenStore, useStore } from './useStore.ts'

/** Lists by indexed members. */
export function describeSecondaryIndexes(open: OpenStore): void {
  describe('secondary indexes', () => {
    const store = useStore(open)

    const variables = () => store().collection('variables')
    const of = async (where: Partial<Pick<StoredVariable, '_feature' | '_project'>>, within = store()) =>
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
      const failing = store().transaction(async (inside) => {
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
      await store().transaction(async (inside) => {
        for (const _id of [...ids].reverse()) await inside.collection('variables').insert(testVariable({ _id }))
      })
      expect(await of({ _project: testId(1) })).toEqual(ids)
    })
  })
}
