import { cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openStore } from '../../server/src/storage/open/openStore.ts'
import { readStoreDocument } from '../../server/src/storage/open/readStoreDocument.ts'
import {
  historyCollections,
  type Resources,
  uniqueKeys,
  userDataCollections
} from '../../server/src/storage/resources/collections.ts'
import { runOnServer, temporaryDatabase } from './postgres/testDatabase.ts'
import { temporaryDirectory, textsIn } from './temporaryDirectory.ts'

/** The items of a store by collection. */
type StoredItems = { readonly [K in keyof Resources]: readonly Resources[K][] }

/**
 * Reads the items of a store in a directory or a database by collection, without user data and the audit log; a server
 * may have the store open.
 */
export async function storedData(directory: string): Promise<StoredItems> {
  if (isDatabase(directory)) return readDatabase(directory)
  const { data } = await readStoreDocument(`file:${directory}`)
  // The checksum proves the shape.
  return data as StoredItems
}

/** Returns all that is stored in a directory or a database as one text. */
export async function storedText(directory: string): Promise<string> {
  if (!isDatabase(directory)) return textsIn(directory)
  const tables = await runOnServer("select tablename as name from pg_tables where schemaname = 'public'", directory)
  const texts = tables.map((table) => tableText(directory, (table as { readonly name: string }).name))
  return (await Promise.all(texts)).join('\n')
}

/** Copies a store that no server has open. */
export async function copyStore(directory: string): Promise<string> {
  if (isDatabase(directory)) return temporaryDatabase(directory)
  const copy = await temporaryDirectory()
  await cp(directory, copy, { recursive: true })
  return copy
}

/** Returns the stored access log as text, one entry on each line. */
export async function storedAccessText(directory: string): Promise<string> {
  if (!isDatabase(directory)) return textsIn(join(directory, 'access'))
  const rows = await runOnServer('select entry::text as text from burgee_access_entries order by date, id', directory)
  return rows.map((row) => (row as { readonly text: string }).text).join('\n')
}

/** Returns the stored audit log as text. */
export function storedAuditText(directory: string): Promise<string> {
  if (isDatabase(directory)) return tableText(directory, 'burgee_audit_entries')
  return readFile(join(directory, 'history.jsonl'), 'utf8')
}

function isDatabase(directory: string): boolean {
  return directory.startsWith('postgres:')
}

async function tableText(url: string, table: string): Promise<string> {
  const rows = await runOnServer(`select row_to_json(one)::text as text from ${table} one`, url)
  return rows.map((row) => (row as { readonly text: string }).text).join('\n')
}

async function readDatabase(url: string): Promise<StoredItems> {
  const left: readonly string[] = [...userDataCollections, ...historyCollections]
  // The keys of a record of all collections.
  const names = (Object.keys(uniqueKeys) as (keyof Resources)[]).filter((name) => !left.includes(name))
  const store = await openStore(url)
  try {
    const lists = await Promise.all(
      names.map(async (name) => [name, (await store.collection(name).list()).items] as const)
    )
    return Object.fromEntries(lists) as unknown as StoredItems
  } finally {
    await store.close()
  }
}
