import { mkdir, readdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestServer } from '@burgee/testing/harness'
import { NOW } from '@burgee/testing/plan'
import type { EvaluationCount, EventEntry, TrackedEvent, TrackedUser } from '../../src/storage/events/eventEntry.ts'

/** An event with all that is known of it. */
export type StoredEvent = Pick<EventEntry, 'environment' | 'at' | 'payloadId' | 'keyType'> &
  TrackedEvent & { readonly user: TrackedUser }

/** What a server keeps of what happened, read from the disk; a list that is empty may be missing. */
export async function entriesOf({ directory }: Pick<TestServer, 'directory'>): Promise<Partial<EventEntry>[]> {
  const text = await textOf({ directory })
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}

/** The files that they are in, as one text. */
export async function textOf({ directory }: Pick<TestServer, 'directory'>): Promise<string> {
  const folder = join(directory, 'events')
  const days = (await readdir(folder)).filter((name) => name.endsWith('.jsonl')).sort()
  return (await Promise.all(days.map((name) => readFile(join(folder, name), 'utf8')))).join('')
}

/** The events that a server keeps one by one. */
export async function eventsOf(server: Pick<TestServer, 'directory'>): Promise<StoredEvent[]> {
  const entries = (await entriesOf(server)) as EventEntry[]
  return entries.flatMap(({ reports = [], counts: _, exposures: __, ...entry }) =>
    reports.flatMap(({ user, events }) => events.map((event) => ({ ...entry, user, ...event })))
  )
}

/** What a server counted, in the order in which it became durable. */
export async function countsOf(server: Pick<TestServer, 'directory'>): Promise<EvaluationCount[]> {
  return (await entriesOf(server)).flatMap(({ counts = [] }) => counts)
}

/** Makes what happens on the day of the tests impossible to keep: its file is a disk that is always full. */
export async function fullDisk(directory: string): Promise<void> {
  const folder = join(directory, 'events')
  await mkdir(folder, { recursive: true })
  await symlink('/dev/full', join(folder, `${new Date(NOW).toISOString().slice(0, 10)}.jsonl`))
}
