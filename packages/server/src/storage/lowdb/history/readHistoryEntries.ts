import { basename } from 'node:path'
import { type EntryLocation, HistoryError } from '../../auditLog.ts'
import { findFileSize } from '../../disk/fileStat.ts'
import { decodeLine, readLineBytes } from '../../disk/readLines.ts'
import { historyCollections } from '../../resources/collections.ts'
import type { StoredAuditEntry } from '../../resources/history.ts'
import type { HistoryCollection } from '../../tables/storeState.ts'
import { isItem } from '../../tables/table.ts'
import { type JournalRecord, parseJournalLine } from '../document/journalLine.ts'
import { PUT } from './historyLine.ts'

/**
 * Reads the audit entries in the first `length` bytes of a history file, in the order of writing. Reads the file and
 * not the memory of a server, and so detects tampering.
 * @throws {HistoryError} at a line that a store did not write.
 */
export async function* readHistoryEntries(path: string, length: number): AsyncGenerator<StoredAuditEntry, void> {
  if (length === 0) return
  const name = basename(path)
  const size = await findFileSize(path)
  if (size === undefined) throw new HistoryError(`${name} is missing`)
  let line = 0
  for await (const bytes of readLineBytes(path, length)) {
    line++
    const records = parseExactLine(bytes)
    if (!records) {
      const { intact, location } = salvageLine(bytes)
      yield* intact
      throw new HistoryError(`line ${line} of ${name} is not as it was written`, location)
    }
    for (const record of records) {
      if ('remove' in record) throw new HistoryError(`line ${line} of ${name} removes an entry`, { _id: record._id })
      yield record.item
    }
  }
  if (size < length) throw new HistoryError(`${name} has only ${size} of ${length} bytes`)
}

/** Parses a line; returns `undefined` unless it is byte for byte as the store writes it, since JSON allows variants. */
function parseExactLine(bytes: Uint8Array): readonly JournalRecord<HistoryCollection>[] | undefined {
  try {
    const line = decodeLine(bytes)
    const records = parseJournalLine(line, historyCollections)
    return JSON.stringify(records) === line ? records : undefined
  } catch {
    return undefined
  }
}

/** Recovers the entries before the damaged one in a line, and the identification of that one. */
function salvageLine(bytes: Buffer): {
  readonly intact: readonly StoredAuditEntry[]
  readonly location: EntryLocation
} {
  // Each byte becomes one character.
  const line = bytes.toString('latin1')
  const [opening, ...parts] = line.split(PUT)
  const items = parts.map((part, index) => parseEntry(part, index === parts.length - 1))
  const count = opening === '[' ? items.indexOf(undefined) : 0
  const damaged = parts[opening === '[' ? count : -1] ?? line
  const [, _id, createdAt] = NAMES.exec(damaged) ?? []
  const [, position] = POSITION.exec(damaged) ?? []
  return {
    intact: items.slice(0, Math.max(count, 0)).flatMap((item) => item ?? []),
    location: {
      ...(_id === undefined || createdAt === undefined ? {} : { _id, createdAt }),
      ...(position === undefined ? {} : { position: Number(position) })
    }
  }
}

/** The first members of an entry; nested objects have members with the same names. */
const NAMES = /^.{0,40}?\{"_id":"([^"]*)","createdAt":"([^"]*)"/s

/** The members that place an entry in the chain. */
const POSITION = /"position":(\d+),"previousHash":/

/** Parses one entry of a line; returns `undefined` if it or its end is damaged. */
function parseEntry(text: string, isLast: boolean): StoredAuditEntry | undefined {
  const [item, end] = [text.slice(0, -2), text.slice(-2)]
  try {
    const json = decodeLine(Buffer.from(item, 'latin1'))
    const value: unknown = JSON.parse(json)
    const isWhole = end === (isLast ? '}]' : '},') && isItem(value) && JSON.stringify(value) === json
    // Readers verify the hashes of entries.
    return isWhole ? (value as StoredAuditEntry) : undefined
  } catch {
    return undefined
  }
}
