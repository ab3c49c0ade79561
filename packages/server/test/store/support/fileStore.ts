import { join } from 'node:path'
import { temporaryDirectory } from '@burgee/testing/temporaryDirectory'
import { afterEach, beforeEach } from 'vitest'
import type { LowdbStore } from '../../../src/storage/lowdb/lowdbStore.ts'
import { type FileStoreOptions, openFileStore } from '../../../src/storage/lowdb/openFileStore.ts'
import type { Store } from '../../../src/storage/store.ts'

/** The files of a closed store. */
export const STORE_FILES = ['burgee.store', 'db.json', 'history.jsonl', 'users.jsonl', 'users.length']

/** A directory for each test, and the notices of its stores. */
export const disk = { directory: '', notices: [] as string[] }
const opened: Store[] = []

/** Gives each test of the calling file its own directory, and closes its stores. */
export function useFileStore(): void {
  beforeEach(async () => {
    disk.directory = await temporaryDirectory()
    disk.notices = []
  })
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close()
  })
}

/** The path of a file in the test's directory. */
export function pathOf(name: string): string {
  return join(disk.directory, name)
}

/** Opens the test's directory; the store is closed after the test at the latest. */
export async function open(options: FileStoreOptions = {}): Promise<LowdbStore> {
  const store = await openFileStore(disk.directory, {
    onNotice: (message) => disk.notices.push(message),
    ...options
  })
  opened.push(store)
  return store
}

/** Fills the test's directory with `work`, and closes it. */
export async function fill(work: (store: Store) => Promise<unknown> = async () => {}): Promise<void> {
  const store = await open()
  await work(store)
  await store.close()
}
