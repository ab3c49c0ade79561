import { createEventStore } from '../../events/engine/createEventStore.ts'
import type { EventStoreOptions } from '../../events/engine/eventStorage.ts'
import type { EventStore } from '../../events/eventStore.ts'
import type { Database } from '../connection/database.ts'
import { toOpenError } from '../openPostgresStore.ts'
import { DatabaseEventStorage } from './databaseEventStorage.ts'
import { createDatabaseCounts } from './readCounts.ts'

/** Opens the event store in the database of a store. @throws {StoreOpenError} when it cannot be read or written. */
export async function openDatabaseEventStore(database: Database, options: EventStoreOptions): Promise<EventStore> {
  try {
    const storage = await DatabaseEventStorage.open(database, options)
    // The database recognizes repeated payloads, since several servers receive them.
    return createEventStore(
      { storage, counts: createDatabaseCounts(database), payloadIds: undefined },
      options.onAppend
    )
  } catch (error) {
    throw toOpenError(database, error)
  }
}
