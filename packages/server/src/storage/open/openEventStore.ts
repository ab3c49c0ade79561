import { join, resolve } from 'node:path'
import { reasonOf } from '../../lib/reasonOf.ts'
import { isDiskFull } from '../disk/diskFull.ts'
import { countByDay } from '../events/engine/countByDay.ts'
import { createEventStore } from '../events/engine/createEventStore.ts'
import type { DaySummaries, EventStorage, EventStoreOptions } from '../events/engine/eventStorage.ts'
import { MemoryEventStorage } from '../events/engine/memoryEventStorage.ts'
import { PayloadDeduplicator } from '../events/engine/payloadDeduplicator.ts'
import type { EventStore } from '../events/eventStore.ts'
import { FileEventStorage } from '../events/files/fileEventStorage.ts'
import { prepareFolder } from '../events/files/start/prepareFolder.ts'
import { Database } from '../postgres/connection/database.ts'
import { openDatabaseEventStore } from '../postgres/events/openDatabaseEventStore.ts'
import { StoreOpenError } from '../store.ts'
import { storeOpenError } from '../storeOpenError.ts'
import type { StoreLocation } from './openStore.ts'

/**
 * Opens the event store where a store has its data: in the folder `events` of a directory, whose lock ensures that one
 * process has it open, in a database, or in memory.
 * @throws {StoreOpenError} when the folder or the database cannot be read or written.
 */
export async function openEventStore(location: StoreLocation, options: EventStoreOptions): Promise<EventStore> {
  if (location instanceof Database) return openDatabaseEventStore(location, options)
  const payloadIds = new PayloadDeduplicator(options.now)
  const create = (storage: EventStorage & DaySummaries) =>
    createEventStore({ storage, counts: countByDay(storage), payloadIds }, options.onAppend)
  if (location === undefined) return create(new MemoryEventStorage(options))
  const directory = resolve(location)
  const folder = join(directory, 'events')
  try {
    const since = await prepareFolder(directory, folder, options)
    return create(await FileEventStorage.open(folder, since, payloadIds, options))
  } catch (cause) {
    if (cause instanceof StoreOpenError) throw cause
    const path = cause instanceof Error && 'path' in cause ? String(cause.path) : folder
    throw storeOpenError(
      path,
      `cannot be opened: ${reasonOf(cause)}`,
      isDiskFull(cause) ? 'free some space on its disk' : 'give this process permission to read and write it',
      cause
    )
  }
}
