import { join, resolve } from 'node:path'
import type { AccessLog, AccessLogOptions } from '../accessLog/accessLog.ts'
import { FileAccessLog } from '../accessLog/fileAccessLog.ts'
import { MemoryAccessLog } from '../accessLog/memoryAccessLog.ts'
import { Database } from '../postgres/connection/database.ts'
import { DatabaseAccessLog } from '../postgres/databaseAccessLog.ts'
import { storeOpenError } from '../storeOpenError.ts'
import type { StoreLocation } from './openStore.ts'

/**
 * Opens the access log where a store has its data: in the folder `access` of a directory, whose lock ensures that one
 * process has it open, in a database, or in memory.
 * @throws {StoreOpenError} when the folder cannot be read or written.
 */
export async function openAccessLog(location: StoreLocation, options: AccessLogOptions): Promise<AccessLog> {
  if (location instanceof Database) return new DatabaseAccessLog(location, options)
  if (location === undefined) return new MemoryAccessLog()
  const folder = join(resolve(location), 'access')
  try {
    return await FileAccessLog.open(folder, options)
  } catch (cause) {
    const remedy = 'give this process permission to read and write it'
    throw storeOpenError(folder, `cannot be opened: ${String(cause)}`, remedy, cause)
  }
}
