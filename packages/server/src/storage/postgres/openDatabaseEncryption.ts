import { isStoredEncryption, type StoredEncryption } from '../encryption/dataKey.ts'
import { encryptedMembers, type ItemCodec } from '../encryption/itemCodec.ts'
import { type EncryptionOptions, openEncryption } from '../encryption/openEncryption.ts'
import type { Resources } from '../resources/collections.ts'
import { RESTORE_BACKUP, storeOpenError } from '../storeOpenError.ts'
import { encodeOutdatedChanges } from './changes/changeLog.ts'
import type { Database } from './connection/database.ts'
import { deleteMeta, readMeta, upsertMeta } from './meta.ts'
import { collectionNames, tableOf } from './schema/tableNames.ts'

/**
 * Opens the encryption of secrets in a database, and rewrites the items and recorded changes whose secrets are encrypted
 * differently.
 * @throws {StoreOpenError} when the database is encrypted and the keys do not open it.
 */
export async function openDatabaseEncryption(
  database: Database,
  options: EncryptionOptions,
  onNotice: (message: string) => void
): Promise<ItemCodec> {
  const stored = await readDatabaseEncryption(database)
  const { codec, interim, final, notices } = openEncryption(database.name, stored, options)
  if (interim !== stored) await writeEncryption(database, interim)
  for (const name of collectionNames) {
    if (encryptedMembers[name].length > 0) await encodeOutdated(database, name, codec)
  }
  await encodeOutdatedChanges(database, codec)
  if (final !== interim) await writeEncryption(database, final)
  for (const notice of notices) onNotice(notice)
  return codec
}

/** Reads how the secrets of a database are encrypted; `undefined` if they are not. */
export async function readDatabaseEncryption(database: Database): Promise<StoredEncryption | undefined> {
  const stored = await readMeta(database, 'encryption')
  if (stored === undefined) return undefined
  if (!isStoredEncryption(stored)) throw storeOpenError(database.name, 'has no valid data key', RESTORE_BACKUP)
  return stored
}

async function writeEncryption(database: Database, encryption: StoredEncryption | undefined): Promise<void> {
  await database.write(...(encryption ? upsertMeta('encryption', encryption) : deleteMeta('encryption')))
}

/** Writes the items of a collection again whose secrets the codec would encode differently, in batches. */
async function encodeOutdated<K extends keyof Resources>(database: Database, name: K, codec: ItemCodec): Promise<void> {
  let last = ''
  while (true) {
    const rows = await database.read<{ readonly id: string; readonly data: Resources[K] }>(
      `select id, data from ${tableOf(name)} where id > $1 order by id limit ${BATCH}`,
      [last]
    )
    const outdated = rows.filter(({ data }) => codec.isOutdated(name, data))
    if (outdated.length > 0) {
      const items = outdated.map(({ data }) => JSON.stringify(codec.encode(name, codec.decode(name, data))))
      await database.write(
        `update ${tableOf(name)} set data = changed.data from unnest($1::text[], $2::json[]) as changed (id, data) where ${tableOf(name)}.id = changed.id`,
        [outdated.map(({ id }) => id), items]
      )
    }
    if (rows.length < BATCH) return
    last = rows.at(-1)?.id ?? ''
  }
}

const BATCH = 500
