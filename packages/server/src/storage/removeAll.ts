import type { Resources } from './resources/collections.ts'
import type { ItemMatch, Store } from './store.ts'

/** Removes all items of a collection that match. */
export async function removeAll<K extends keyof Resources>(
  store: Store,
  name: K,
  where: ItemMatch<Resources[K]>
): Promise<void> {
  const collection = store.collection(name)
  const { items } = await collection.list({ where })
  for (const { _id } of items) await collection.remove(_id)
}
