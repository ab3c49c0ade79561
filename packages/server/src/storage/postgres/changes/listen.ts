import { setTimeout } from 'node:timers/promises'
import type { Client } from 'pg'
import type { Database } from '../connection/database.ts'
import { isRefused } from '../connection/databaseErrors.ts'

/** A connection that receives notifications. */
export interface Listening {
  readonly close: () => Promise<void>
}

/**
 * Listens to a channel, and connects again when the connection ends. Calls `onNotify` for each notification, and after
 * each connect, since notifications may have been lost before it.
 */
export function listen(database: Database, channel: string, onNotify: () => void): Listening {
  const closing = new AbortController()
  let client: Client | undefined

  const listenOnce = async (): Promise<void> => {
    const connection = database.createClient()
    client = connection
    const ended = new Promise<void>((resolve) => {
      connection.on('end', resolve)
      connection.on('error', () => resolve())
    })
    connection.on('notification', onNotify)
    try {
      await connection.connect()
      await connection.query(`listen ${channel}`)
      onNotify()
      await ended
    } finally {
      await connection.end().catch(() => {})
    }
  }

  const run = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      // Polling continues meanwhile.
      if (!database.isScarce) await listenOnce().catch((error) => isRefused(error) && database.noteRefusal())
      await setTimeout(RECONNECT_MS, undefined, { signal: closing.signal, ref: false }).catch(() => {})
    }
  }
  const running = run()
  return {
    close: async () => {
      closing.abort()
      await client?.end().catch(() => {})
      await running
    }
  }
}

const RECONNECT_MS = 1_000
