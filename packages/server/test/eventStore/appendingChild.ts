import { writeSync } from 'node:fs'
import { openEventStore } from '../../src/storage/open/openEventStore.ts'

/**
 * Appends entries with its own payload ids to the event store in a directory, concurrently, until it is killed, and
 * prints each id before and after.
 */
const [, , directory, prefix] = process.argv
const store = await openEventStore(directory, { now: Date.now, retention: 31, onNotice: () => {} })

let next = 0

/** Writes synchronously: a stream buffers in memory while nothing reads, and the process would lose that. */
function print(text: string): void {
  writeSync(1, text)
}

async function append(): Promise<void> {
  for (;;) {
    const payloadId = `${prefix}-${next++}`
    print(`sent ${payloadId}\n`)
    await store.append({
      environment: 'production',
      at: Date.now(),
      payloadId,
      reports: [{ user: { user_id: payloadId }, events: [{ type: 'bought' }] }],
      counts: [{ feature: 'f1', variation: 'on', platform: 'web', sdkType: 'server', count: 1 }],
      exposures: []
    })
    print(`kept ${payloadId}\n`)
  }
}

await Promise.all(Array.from({ length: 20 }, append))
