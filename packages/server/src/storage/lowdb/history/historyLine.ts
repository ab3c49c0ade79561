import type { StoredAuditEntry } from '../../resources/history.ts'
import type { EntryPlace } from '../../tables/historyRow.ts'
import type { HistoryCollection } from '../../tables/storeState.ts'
import { isItem } from '../../tables/table.ts'
import type { JournalRecord } from '../document/journalLine.ts'

/** A line of the history, without its line feed. */
export interface HistoryLine {
  readonly text: string
  /** The entries that the line adds, with their places. */
  readonly entries: readonly PlacedEntry[]
}

/** An entry and its place. */
export interface PlacedEntry {
  readonly entry: StoredAuditEntry
  readonly place: EntryPlace
}

/** Formats the records of a transaction as the line that begins at `offset` of the file. */
export function formatHistoryLine(records: readonly JournalRecord<HistoryCollection>[], offset: number): HistoryLine {
  const entries: PlacedEntry[] = []
  const texts: string[] = []
  let at = offset + '['.length
  for (const record of records) {
    const text = 'put' in record ? `${PUT}${JSON.stringify(record.item)}}` : JSON.stringify(record)
    const length = Buffer.byteLength(text)
    if ('put' in record) {
      const place = { offset: at + PUT.length, length: length - PUT.length - '}'.length }
      entries.push({ entry: record.item, place })
    }
    texts.push(text)
    at += length + ','.length
  }
  return { text: `[${texts.join()}]`, entries }
}

/**
 * Parses a line of entries that `formatHistoryLine` wrote at `offset` of the file. Returns undefined for other lines,
 * and for one with a removal. Each part is parsed on its own: if all are JSON, they are exactly the entries of the
 * line, even if an entry contains the separator.
 */
export function parsePlacedEntries(line: string, offset: number): readonly PlacedEntry[] | undefined {
  const [start, end] = [`[${PUT}`, '}]']
  if (!line.startsWith(start) || !line.endsWith(end)) return undefined
  const placed: PlacedEntry[] = []
  let at = offset + start.length
  for (const text of line.slice(start.length, -end.length).split(`},${PUT}`)) {
    const entry = parseEntry(text)
    if (!entry) return undefined
    const length = Buffer.byteLength(text)
    placed.push({ entry, place: { offset: at, length } })
    at += length + '},'.length + PUT.length
  }
  return placed
}

function parseEntry(text: string): StoredAuditEntry | undefined {
  try {
    const entry: unknown = JSON.parse(text)
    return isItem(entry) ? (entry as StoredAuditEntry) : undefined
  } catch {
    return undefined
  }
}

/** What precedes each entry in a line. */
export const PUT = '{"put":"auditEntries","item":'
