import { join, resolve } from 'node:path'
import { refusal } from '../store/refusal.ts'
import { StoreOpenError } from '../store/store.ts'
import type { EventStore } from './eventStore.ts'
import { eventStoreOn } from './eventStoreOn.ts'
import { FileHome } from './files/fileHome.ts'
import { openFolder } from './files/openFolder.ts'
import type { EventStoreOptions } from './home.ts'
import { MemoryHome } from './memoryHome.ts'
import { PayloadIds } from './payloadIds.ts'

/**
 * Opens the event store in the directory of a store: the folder `events` in it. Beside a store without a directory what
 * happened is kept in memory, and forgotten like everything else. One process at a time may have it open, which the lock
 * of the store sees to.
 * @throws {StoreOpenError} when the folder cannot be read or written.
 */
export async function openEventStore(directory: string | undefined, options: EventStoreOptions): Promise<EventStore> {
  const payloadIds = new PayloadIds(options.now)
  if (directory === undefined) return eventStoreOn(new MemoryHome(options), payloadIds, options.onAppend)
  const folder = join(resolve(directory), 'events')
  try {
    const since = await openFolder(resolve(directory), folder, options)
    return eventStoreOn(await FileHome.open(folder, since, payloadIds, options), payloadIds, options.onAppend)
  } catch (cause) {
    if (cause instanceof StoreOpenError) throw cause
    const path = cause instanceof Error && 'path' in cause ? String(cause.path) : folder
    throw refusal(path, `cannot be opened: ${String(cause)}`, 'let this process read and write what is there', cause)
  }
}
