import { mkdir, readdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestServer } from '@burgee/testing/harness'
import { NOW } from '@burgee/testing/plan'
import { runOnServer } from '@burgee/testing/postgres/testDatabase'
import type { EvaluationCount, EventEntry, TrackedEvent, TrackedUser } from '../../../src/storage/events/eventEntry.ts'

/** An event with all of its data. */
export type StoredEvent = Pick<EventEntry, 'environment' | 'at' | 'payloadId' | 'keyType'> &
  TrackedEvent & { readonly user: TrackedUser }

/** The stored events of a server with this text, read from disk; an empty list may be missing. */
export async function entriesOf(
  { directory }: Pick<TestServer, 'directory'>,
  part = ''
): Promise<Partial<EventEntry>[]> {
  const text = await textOf({ directory })
  return text
    .split('\n')
    .filter((line) => line !== '' && line.includes(part))
    .map((line) => JSON.parse(line))
}

/** The stored events as lines of one text. */
export async function textOf({ directory }: Pick<TestServer, 'directory'>): Promise<string> {
  if (directory.startsWith('postgres:')) {
    const rows = await runOnServer('select entry from burgee_event_entries order by day, id', directory)
    return rows.map((row) => `${(row as { readonly entry: string }).entry}\n`).join('')
  }
  const folder = join(directory, 'events')
  const days = (await readdir(folder)).filter((name) => name.endsWith('.jsonl')).sort()
  return (await Promise.all(days.map((name) => readFile(join(folder, name), 'utf8')))).join('')
}

/** The individually stored events of a server in the entries with this text. */
export async function eventsOf(server: Pick<TestServer, 'directory'>, part = ''): Promise<StoredEvent[]> {
  const entries = (await entriesOf(server, part)) as EventEntry[]
  return entries.flatMap(({ reports = [], counts: _, exposures: __, ...entry }) =>
    reports.flatMap(({ user, events }) => events.map((event) => ({ ...entry, user, ...event })))
  )
}

/** The counts of a server, in the order of their appends. */
export async function countsOf(server: Pick<TestServer, 'directory'>): Promise<EvaluationCount[]> {
  return (await entriesOf(server)).flatMap(({ counts = [] }) => counts)
}

/** Makes events of the test day impossible to store: its file is a full disk. */
export async function fullDisk(directory: string): Promise<void> {
  const folder = join(directory, 'events')
  await mkdir(folder, { recursive: true })
  await symlink('/dev/full', join(folder, `${new Date(NOW).toISOString().slice(0, 10)}.jsonl`))
}
