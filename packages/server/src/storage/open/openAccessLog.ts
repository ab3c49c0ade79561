import { join, resolve } from 'node:path'
import type { AccessLog } from '../accessLog/accessLog.ts'
import { type AccessLogOptions, FileAccessLog } from '../accessLog/fileAccessLog.ts'
import { MemoryAccessLog } from '../accessLog/memoryAccessLog.ts'
import { storeOpenError } from '../storeOpenError.ts'

/**
 * Opens the access log in the folder `access` of a store's directory, or in memory if there is no directory. The lock of
 * the store ensures that one process has it open.
 * @throws {StoreOpenError} when the folder cannot be read or written.
 */
export async function openAccessLog(directory: string | undefined, options: AccessLogOptions): Promise<AccessLog> {
  if (directory === undefined) return new MemoryAccessLog()
  const folder = join(resolve(directory), 'access')
  try {
    return await FileAccessLog.open(folder, options)
  } catch (cause) {
    const remedy = 'give this process permission to read and write it'
    throw storeOpenError(folder, `cannot be opened: ${String(cause)}`, remedy, cause)
  }
}
