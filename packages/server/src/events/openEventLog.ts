import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { openAppendLog } from '../store/appendLog.ts'
import type { EventLog } from './eventLog.ts'

/**
 * Opens the event log beside a store: `events.jsonl` in the directory of a `file:` store, one event a line.
 * Beside a store that keeps nothing, events are not kept either.
 */
export async function openEventLog(store: string): Promise<EventLog> {
  if (!store.startsWith('file:')) return { append: async () => {}, close: async () => {} }
  const directory = store.slice('file:'.length)
  await mkdir(directory, { recursive: true })
  const log = await openAppendLog(join(directory, 'events.jsonl'))
  return {
    append: (events) => log.append(...events.map((event) => JSON.stringify(event))),
    close: () => log.close()
  }
}
