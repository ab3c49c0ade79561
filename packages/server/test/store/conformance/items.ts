import { describe, expect, test } from 'vitest'
import { testId, testProject, testVariable } from './fixtures.ts'
import { type OpenStore, useStore } from './useStore.ts'

/** A single item: inserted, found, updated and removed. */
export function describeItems(open: OpenStore): void {
  describe('items', () => {
    const store = useStore(open)

    test('returns an inserted item by id and by unique key', async () => {
      const shop = testProject({ key: 'shop' })
      expect(await store().collection('projects').insert(shop)).toEqual(shop)
      expect(await store().collection('projects').get({ _id: shop._id })).toEqual(shop)
      expect(await store().collection('projects').get({ key: 'shop' })).toEqual(shop)
    })

    test('finds an item by a unique key of several members only when all of them match', async () => {
      const one = await store()
        .collection('variables')
        .insert(testVariable({ _project: testId(1), key: 'banner' }))
      const other = await store()
        .collection('variables')
        .insert(testVariable({ _project: testId(2), key: 'banner' }))
      expect(
        await store()
          .collection('variables')
          .get({ _project: testId(1), key: 'banner' })
      ).toEqual(one)
      expect(
        await store()
          .collection('variables')
          .get({ _project: testId(2), key: 'banner' })
      ).toEqual(other)
      expect(
        await store()
          .collection('variables')
          .get({ _project: testId(3), key: 'banner' })
      ).toBeUndefined()
      expect(
        await store()
          .collection('variables')
          .get({ _id: one._id, _project: testId(2) })
      ).toBeUndefined()
    })

    test('finds the item with the lowest id by members that are not unique', async () => {
      await store()
        .collection('projects')
        .insert(testProject({ _id: testId(0xb), name: 'Shop' }))
      await store()
        .collection('projects')
        .insert(testProject({ _id: testId(0xa), name: 'Shop' }))
      expect((await store().collection('projects').get({ name: 'Shop' }))?._id).toBe(testId(0xa))
    })

    test('returns undefined for a missing item', async () => {
      const projects = store().collection('projects')
      expect(await projects.get({ key: 'nothing' })).toBeUndefined()
      expect(await projects.update(testId(1), { name: 'Nothing' })).toBeUndefined()
      expect(await projects.remove(testId(1))).toBeUndefined()
      expect(await projects.list()).toEqual({ items: [], count: 0 })
    })

    test('replaces the given members and keeps the others', async () => {
      const before = await store()
        .collection('projects')
        .insert(testProject({ key: 'shop', description: 'Sells' }))
      const after = await store().collection('projects').update(before._id, { name: 'The shop' })
      expect(after).toEqual({ ...before, name: 'The shop' })
      expect(await store().collection('projects').get({ key: 'shop' })).toEqual(after)
      expect(before.name).not.toBe('The shop')
    })

    test('removes a member that is updated to undefined', async () => {
      const { _id } = await store()
        .collection('projects')
        .insert(testProject({ description: 'Sells' }))
      const after = await store().collection('projects').update(_id, { description: undefined })
      expect(Object.keys(after ?? {})).not.toContain('description')
      expect(Object.keys((await store().collection('projects').get({ _id })) ?? {})).not.toContain('description')
    })

    test('rejects a change of the id of an item', async () => {
      const { _id } = await store().collection('projects').insert(testProject())
      await expect(
        store()
          .collection('projects')
          .update(_id, { _id: testId(99) })
      ).rejects.toThrow('_id')
      expect((await store().collection('projects').list()).items.map((item) => item._id)).toEqual([_id])
    })

    test('returns the removed item and no longer finds it', async () => {
      const shop = await store()
        .collection('projects')
        .insert(testProject({ key: 'shop' }))
      expect(await store().collection('projects').remove(shop._id)).toEqual(shop)
      expect(await store().collection('projects').get({ _id: shop._id })).toBeUndefined()
      expect(await store().collection('projects').get({ key: 'shop' })).toBeUndefined()
    })

    test('returns frozen copies of inserted items', async () => {
      const given = testProject()
      const kept = await store().collection('projects').insert(given)
      expect(Object.isFrozen(given)).toBe(false)
      expect(Object.isFrozen(kept)).toBe(true)
      expect(Object.isFrozen(kept.settings.edgeDB)).toBe(true)
      expect(Object.isFrozen((await store().collection('projects').get({ _id: kept._id }))?.settings)).toBe(true)
    })

    test.each(['__proto__', 'constructor', 'prototype', 'hasOwnProperty', '', 'é"\\\n\u2028'])(
      'stores %j like any other key',
      async (key) => {
        const shop = await store().collection('projects').insert(testProject({ key }))
        expect(await store().collection('projects').get({ key })).toEqual(shop)
        expect(
          await store()
            .collection('projects')
            .get({ key: `${key}x` })
        ).toBeUndefined()
        const choices = JSON.parse(`{${JSON.stringify(key)}:true}`)
        const optIn = { ...testProject(), _environment: testId(1), user_id: key, choices }
        await store().collection('optIns').insert(optIn)
        const kept = await store()
          .collection('optIns')
          .get({ _environment: testId(1), user_id: key })
        expect(Object.entries(kept?.choices ?? {})).toEqual([[key, true]])
        expect(Object.keys({})).toEqual([])
      }
    )
  })
}
