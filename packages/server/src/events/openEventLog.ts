import { join } from 'node:path'
import { openAppendLog } from '../disk/appendLog.ts'
import { StoreOpenError, StoreUnavailableError } from '../store/store.ts'
import type { EventLog } from './eventLog.ts'

/**
 * Opens the event log in the directory of a store: `events.jsonl`, one payload a line. Beside a store without a directory
 * events are counted, and forgotten like everything else.
 * @throws {StoreOpenError} when the file cannot be opened.
 */
export async function openEventLog(directory: string | undefined): Promise<EventLog> {
  if (directory === undefined) return { append: async () => {}, close: async () => {} }
  const path = join(directory, 'events.jsonl')
  const log = await openAppendLog(path).catch((cause) => {
    throw new StoreOpenError(`${path} cannot be opened: ${String(cause)}; make it a file that this process may write`, {
      cause
    })
  })
  return {
    append: async (payload) => {
      try {
        await log.append(JSON.stringify(payload))
      } catch (cause) {
        throw new StoreUnavailableError(`the events could not be written: ${String(cause)}`, { cause })
      }
    },
    close: () => log.close()
  }
}
