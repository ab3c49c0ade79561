import { describe, expect, test } from 'vitest'
import { DuplicateError } from '../../../src/storage/store.ts'
import { testId, testProject, testVariable } from './fixtures.ts'
import { type OpenStore, useStore } from './useStore.ts'

/** Unique keys, within their scope. */
export function describeUniqueKeys(open: OpenStore): void {
  describe('unique keys', () => {
    const store = useStore(open)

    test('refuses a second item with the same id', async () => {
      const { _id } = await store()
        .collection('projects')
        .insert(testProject({ key: 'shop' }))
      const insertion = store()
        .collection('projects')
        .insert(testProject({ _id, key: 'other' }))
      await expect(insertion).rejects.toMatchObject({
        name: 'DuplicateError',
        collection: 'projects',
        members: { _id }
      })
      expect(await store().collection('projects').get({ key: 'other' })).toBeUndefined()
    })

    test('refuses a second item with the same unique key, in the same scope only', async () => {
      await store()
        .collection('variables')
        .insert(testVariable({ _project: testId(1), key: 'banner' }))
      await store()
        .collection('variables')
        .insert(testVariable({ _project: testId(2), key: 'banner' }))
      const insertion = store()
        .collection('variables')
        .insert(testVariable({ _project: testId(1), key: 'banner' }))
      await expect(insertion).rejects.toMatchObject({ members: { _project: testId(1), key: 'banner' } })
      expect((await store().collection('variables').list()).count).toBe(2)
    })

    test('refuses an update that takes the key of another item', async () => {
      await store()
        .collection('projects')
        .insert(testProject({ key: 'shop' }))
      const blog = await store()
        .collection('projects')
        .insert(testProject({ key: 'blog' }))
      await expect(store().collection('projects').update(blog._id, { key: 'shop' })).rejects.toThrow(DuplicateError)
      expect(await store().collection('projects').get({ _id: blog._id })).toEqual(blog)
    })

    test('lets an item keep its key, and frees a key that is changed or removed', async () => {
      const shop = await store()
        .collection('projects')
        .insert(testProject({ key: 'shop' }))
      expect(await store().collection('projects').update(shop._id, { key: 'shop', name: 'Shop' })).toBeDefined()
      await store().collection('projects').update(shop._id, { key: 'store' })
      const next = await store()
        .collection('projects')
        .insert(testProject({ key: 'shop' }))
      await store().collection('projects').remove(next._id)
      expect(
        await store()
          .collection('projects')
          .insert(testProject({ key: 'shop' }))
      ).toBeDefined()
      expect((await store().collection('projects').get({ key: 'store' }))?._id).toBe(shop._id)
    })
  })
}
