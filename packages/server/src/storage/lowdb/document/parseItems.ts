import { deepFreeze } from '../../tables/deepFreeze.ts'
import { flagDataCollections, type MemoryItems } from '../../tables/storeState.ts'
import { isItem } from '../../tables/table.ts'

/** Returns the items in the data of a document of the newest schema version, frozen. @throws when it has others. */
export function parseItems(data: unknown): MemoryItems {
  if (typeof data !== 'object' || data === null) throw new Error('its data are not an object')
  const collections = new Map<string, unknown>(Object.entries(data))
  for (const name of flagDataCollections) {
    const items = collections.get(name)
    if (!Array.isArray(items)) throw new Error(`its ${name} are not a list`)
    if (!items.every(isItem)) throw new Error(`its ${name} are not all items with an _id`)
    collections.delete(name)
  }
  if (collections.size > 0)
    throw new Error(`its data have the unknown collections ${[...collections.keys()].join(', ')}`)
  // Each collection is a list of items, and the checksum proves that this program wrote their members.
  return deepFreeze(data) as MemoryItems
}
