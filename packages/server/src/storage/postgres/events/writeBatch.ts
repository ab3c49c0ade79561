import type { PoolClient } from 'pg'
import { DAY, HOUR } from '../../../lib/time.ts'
import type { DaySummary } from '../../events/engine/daySummary.ts'
import { digestPayload } from '../../events/engine/payloadDeduplicator.ts'
import type { EventEntry } from '../../events/eventEntry.ts'
import { formatEntryLine } from '../../events/files/entryLine.ts'
import { toUtcDay } from '../../events/utcDay.ts'
import { addCounts } from './writeCounts.ts'
import { addUsers } from './writeUsers.ts'

/** An entry to write. */
export interface Append {
  readonly entry: EventEntry
}

/**
 * Writes entries and their counts, except entries that repeat earlier ones. Returns what it wrote. Every table is
 * written in the order of its keys, so that servers that write at once do not deadlock.
 * @param summaries The known counts of the days of entries that have counts.
 */
export async function writeBatch<A extends Append>(
  client: PoolClient,
  batch: readonly A[],
  summaries: ReadonlyMap<string, DaySummary>,
  now: number
): Promise<ReadonlySet<A>> {
  const repeated = await findRepeated(client, batch, now)
  const appends = batch.filter((append) => !repeated.has(append))
  const kept = appends.map(({ entry }) => entry)
  if (kept.length === 0) return new Set()
  for (let start = 0; start < kept.length; start += ENTRIES_PER_STATEMENT) {
    await addEntries(client, kept.slice(start, start + ENTRIES_PER_STATEMENT))
  }
  await addCounts(client, kept, summaries)
  await addUsers(client, kept)
  // Last, because its rows are locked until the commit.
  await addSizes(client, kept)
  return new Set(appends)
}

/** PostgreSQL accepts 65,535 parameters. */
const ENTRIES_PER_STATEMENT = 1000

/** Each entry is a parameter of its own: `pg` escapes the texts of lists, which takes 0.3 s for the largest request. */
async function addEntries(client: PoolClient, entries: readonly EventEntry[]): Promise<void> {
  const lines = entries.map((_, index) => `$${index + 4}`)
  await client.query(
    `insert into burgee_event_entries (day, environment, at, entry)
    select * from unnest($1::date[], $2::text[], $3::bigint[], array[${lines.join()}]::text[])`,
    [
      entries.map(({ at }) => toUtcDay(at)),
      entries.map(({ environment }) => environment),
      entries.map(({ at }) => at),
      ...entries.map(formatEntryLine)
    ]
  )
}

/** Records the ids of a batch. Returns the appends whose ids are known, in the database or in the batch. */
async function findRepeated(client: PoolClient, batch: readonly Append[], now: number): Promise<ReadonlySet<Append>> {
  const repeated = new Set<Append>()
  const firsts = new Map<string, Identity & { readonly append: Append }>()
  for (const append of batch) {
    const identity = identify(append.entry, now)
    if (identity === undefined) continue
    if (firsts.has(identity.id) || firsts.has(identity.anyContent)) repeated.add(append)
    else firsts.set(identity.id, { ...identity, append })
  }
  if (firsts.size === 0) return repeated
  const oldest = now - HOUR
  const wanted = [...firsts.values()].map(({ anyContent }) => anyContent)
  const known = await client.query<{ digest: string }>(
    'select digest from burgee_event_payloads where digest = any($1) and at > $2',
    [wanted, oldest]
  )
  const knownDigests = new Set(known.rows.map(({ digest }) => digest))
  const candidates = [...firsts.values()].filter(({ anyContent }) => !knownDigests.has(anyContent))
  const inserted = await client.query<{ digest: string }>(
    `insert into burgee_event_payloads as known (digest, at)
    select * from unnest($1::text[], $2::bigint[]) as given (digest, at) order by digest
    on conflict (digest) do update set at = excluded.at where known.at <= $3 returning digest`,
    [candidates.map(({ id }) => id), candidates.map(({ at }) => at), oldest]
  )
  const insertedDigests = new Set(inserted.rows.map(({ digest }) => digest))
  for (const { id, append } of firsts.values()) if (!insertedDigests.has(id)) repeated.add(append)
  return repeated
}

/** The ids that identify a repeated entry for an hour from `at`. */
interface Identity {
  readonly id: string
  /** The id of entries of earlier versions, which have no digest of their content and so match any. */
  readonly anyContent: string
  readonly at: number
}

function identify({ payloadId, batchId, ...entry }: EventEntry, now: number): Identity | undefined {
  if (batchId !== undefined) return { id: batchId, anyContent: batchId, at: now + KEPT_IN_MEMORY - HOUR }
  if (payloadId === undefined) return undefined
  const anyContent = digestPayload({ ...entry, payloadId, payloadDigest: undefined })
  return { id: digestPayload({ ...entry, payloadId }), anyContent, at: entry.at }
}

/** How long servers keep evaluations in memory while the database is unavailable. */
const KEPT_IN_MEMORY = DAY

async function addSizes(client: PoolClient, entries: readonly EventEntry[]): Promise<void> {
  const sizes = new Map<string, number>()
  for (const { at } of entries) sizes.set(toUtcDay(at), (sizes.get(toUtcDay(at)) ?? 0) + 1)
  const days = [...sizes.keys()].sort()
  await client.query(
    `insert into burgee_event_days as known (day, size) select * from unnest($1::date[], $2::bigint[])
    on conflict (day) do update set size = known.size + excluded.size`,
    [days, days.map((day) => sizes.get(day))]
  )
}
