import type { StoredEncryption } from '../encryption/dataKey.ts'
import { readDatabaseEncryption } from '../postgres/openDatabaseEncryption.ts'
import { openReadOnly } from '../postgres/openPostgresStore.ts'
import { isDatabaseUrl } from '../storeUrl.ts'
import { readStoreDocument } from './readStoreDocument.ts'

/**
 * Reads how the secrets of a store are encrypted, without opening the store; `undefined` if they are not.
 * @throws {StoreOpenError} when there is no such store, or it is damaged.
 */
export async function readEncryption(url: string): Promise<StoredEncryption | undefined> {
  if (isDatabaseUrl(url)) return readDatabaseEncryption(await openReadOnly(url))
  return (await readStoreDocument(url)).encryption
}
