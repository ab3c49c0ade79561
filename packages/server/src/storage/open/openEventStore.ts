import { join, resolve } from 'node:path'
import { reasonOf } from '../../lib/reasonOf.ts'
import { createEventStore } from '../events/engine/createEventStore.ts'
import type { EventStoreOptions } from '../events/engine/eventStorage.ts'
import { MemoryEventStorage } from '../events/engine/memoryEventStorage.ts'
import { PayloadDeduplicator } from '../events/engine/payloadDeduplicator.ts'
import type { EventStore } from '../events/eventStore.ts'
import { FileEventStorage } from '../events/files/fileEventStorage.ts'
import { prepareFolder } from '../events/files/prepareFolder.ts'
import { StoreOpenError } from '../store.ts'
import { storeOpenError } from '../storeOpenError.ts'

/**
 * Opens the event store in the folder `events` of a store's directory, or in memory if there is no directory. The lock
 * of the store ensures that one process has it open.
 * @throws {StoreOpenError} when the folder cannot be read or written.
 */
export async function openEventStore(directory: string | undefined, options: EventStoreOptions): Promise<EventStore> {
  const payloadIds = new PayloadDeduplicator(options.now)
  if (directory === undefined) return createEventStore(new MemoryEventStorage(options), payloadIds, options.onAppend)
  const folder = join(resolve(directory), 'events')
  try {
    const since = await prepareFolder(resolve(directory), folder, options)
    return createEventStore(
      await FileEventStorage.open(folder, since, payloadIds, options),
      payloadIds,
      options.onAppend
    )
  } catch (cause) {
    if (cause instanceof StoreOpenError) throw cause
    const path = cause instanceof Error && 'path' in cause ? String(cause.path) : folder
    throw storeOpenError(
      path,
      `cannot be opened: ${reasonOf(cause)}`,
      'give this process permission to read and write it',
      cause
    )
  }
}
