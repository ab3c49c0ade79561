import { withDeadline } from '@burgee/kit'

/**
 * Returns a function that reads a value, or returns the last one that was read if the value cannot be read in time;
 * `undefined` before the first. Metrics matter most while the database is unavailable.
 */
export function createLatest<T>(read: () => Promise<T>): () => Promise<T | undefined> {
  let last: T | undefined
  let reading: Promise<void> | undefined
  const refresh = async (): Promise<void> => {
    try {
      last = await read()
    } catch {
      // Requests and the health check report why the store cannot be read.
    } finally {
      reading = undefined
    }
  }
  return async () => {
    // Scrapes share a read that hangs, so they do not use up the connections.
    reading ??= refresh()
    await withDeadline(READ_MS, reading, () => {})
    return last
  }
}

/** How long a scrape waits for the store. Prometheus waits ten seconds by default. */
const READ_MS = 2_000
