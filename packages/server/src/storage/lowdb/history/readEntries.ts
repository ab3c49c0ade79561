import type { FileHandle } from 'node:fs/promises'
import { HistoryError } from '../../auditLog.ts'
import { decodeLine } from '../../disk/readLines.ts'
import type { StoredAuditEntry } from '../../resources/history.ts'
import { deepFreeze } from '../../tables/deepFreeze.ts'
import type { EntryPlace, HistoryRow } from '../../tables/historyRow.ts'
import { isItem } from '../../tables/table.ts'

/** An open history file, and the hint of a scan. */
export interface EntrySource {
  readonly path: string
  readonly file: FileHandle
  readonly hint: readonly string[] | undefined
}

/**
 * Returns the entries of rows, from the history file unless a row contains its entry. Entries near each other in the
 * file are read together.
 * @throws {HistoryError} when the file no longer has an entry in its place.
 */
export async function readEntries(
  source: EntrySource,
  rows: readonly HistoryRow[]
): Promise<readonly StoredAuditEntry[]> {
  const found = new Map<string, StoredAuditEntry>()
  const stored: StoredRow[] = []
  for (const { _id, content } of rows) {
    if ('offset' in content) stored.push({ _id, ...content })
    else found.set(_id, content)
  }
  const spans = toSpans(stored)
  for (let first = 0; first < spans.length; first += CONCURRENT_READS) {
    const reads = spans.slice(first, first + CONCURRENT_READS).map((span) => readSpan(source, span))
    for (const entries of await Promise.all(reads)) for (const entry of entries) found.set(entry._id, entry)
  }
  return rows.flatMap(({ _id }) => found.get(_id) ?? [])
}

interface StoredRow extends EntryPlace {
  readonly _id: string
}

/** Entries that one read returns, in the order of the file. */
type Span = readonly [StoredRow, ...StoredRow[]]

/** Groups entries by the reads that they need. */
function toSpans(rows: readonly StoredRow[]): readonly Span[] {
  const spans: [StoredRow, ...StoredRow[]][] = []
  let [start, end] = [0, Number.NEGATIVE_INFINITY]
  for (const row of rows.toSorted((one, other) => one.offset - other.offset)) {
    const isNear = row.offset - end <= MAX_GAP && row.offset + row.length - start <= MAX_SPAN
    if (isNear) spans.at(-1)?.push(row)
    else {
      spans.push([row])
      start = row.offset
    }
    end = row.offset + row.length
  }
  return spans
}

/** Bytes between two entries that one read may skip: about as many as cost a read. */
const MAX_GAP = 16_384
/** Bytes of one read, so that parsing them does not hold the event loop. */
const MAX_SPAN = 262_144
const CONCURRENT_READS = 8

async function readSpan({ path, file, hint }: EntrySource, span: Span): Promise<readonly StoredAuditEntry[]> {
  const [{ offset: start }] = span
  const last = span.at(-1) ?? span[0]
  const { buffer, bytesRead } = await file.read(Buffer.alloc(last.offset + last.length - start), 0, null, start)
  const texts = hint?.map((text) => text.toLowerCase())
  return span.flatMap(({ _id, offset, length }) => {
    const bytes = buffer.subarray(offset - start, Math.min(offset - start + length, bytesRead))
    if (texts && !containsOne(bytes.toString().toLowerCase(), texts)) return []
    const entry = parseEntry(bytes)
    if (entry?._id === _id) return [entry]
    throw new HistoryError(`${path} no longer has entry ${_id} at byte ${offset}`, { _id })
  })
}

function containsOne(text: string, parts: readonly string[]): boolean {
  return parts.some((part) => text.includes(part))
}

function parseEntry(bytes: Uint8Array): StoredAuditEntry | undefined {
  try {
    const value: unknown = JSON.parse(decodeLine(bytes))
    // The store wrote an entry there. `audit verify` detects one that was changed.
    return isItem(value) ? (deepFreeze(value) as StoredAuditEntry) : undefined
  } catch {
    return undefined
  }
}
