import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TrackedEvent, TrackedPayload, TrackedUser } from '../src/events/eventLog.ts'
import type { Served } from './harness.ts'

/** An event with all that is known of it. */
export type KeptEvent = Omit<TrackedPayload, 'reports'> & TrackedEvent & { readonly user: TrackedUser }

/** The payloads that a server keeps, read from the disk. */
export async function payloadsOf({ directory }: Pick<Served, 'directory'>): Promise<TrackedPayload[]> {
  const text = await readFile(join(directory, 'events.jsonl'), 'utf8')
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}

/** The events that a server keeps. */
export async function eventsOf(server: Pick<Served, 'directory'>): Promise<KeptEvent[]> {
  const payloads = await payloadsOf(server)
  return payloads.flatMap(({ reports, ...payload }) =>
    reports.flatMap(({ user, events }) => events.map((event) => ({ ...payload, user, ...event })))
  )
}
