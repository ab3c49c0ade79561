import { readStoreDocument } from '../../server/src/storage/open/readStoreDocument.ts'
import type { Resources } from '../../server/src/storage/resources/collections.ts'

/** Reads the items of a store in a directory by collection, without user data; a server may have the store open. */
export async function storedData(
  directory: string
): Promise<{ readonly [K in keyof Resources]: readonly Resources[K][] }> {
  const { data } = await readStoreDocument(`file:${directory}`)
  // The checksum proves the shape.
  return data as { readonly [K in keyof Resources]: readonly Resources[K][] }
}
