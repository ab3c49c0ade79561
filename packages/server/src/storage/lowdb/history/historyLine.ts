import type { StoredAuditEntry } from '../../resources/history.ts'
import type { EntryPlace } from '../../tables/historyRow.ts'
import type { HistoryCollection } from '../../tables/storeState.ts'
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

/** What precedes each entry in a line. */
export const PUT = '{"put":"auditEntries","item":'
