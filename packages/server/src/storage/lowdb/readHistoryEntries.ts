import { basename } from 'node:path'
import { type EntryLocation, HistoryError } from '../auditLog.ts'
import { findFileSize } from '../disk/fileStat.ts'
import { decodeLine, readLineBytes } from '../disk/readLines.ts'
import { historyCollections, type StoredAuditEntry } from '../resources.ts'
import type { HistoryCollection } from '../tables/storeState.ts'
import { isItem } from '../tables/table.ts'
import { type JournalRecord, parseJournalLine } from './journalLine.ts'

/**
 * The audit entries in the first `length` bytes of a file of history, in the order in which they were written. It reads
 * what is there, and so sees what was done to the file behind the back of a server that has it in memory.
 * @throws {HistoryError} where a line is not one that a store wrote.
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
      const { whole, place } = salvageLine(bytes)
      yield* whole
      throw new HistoryError(`line ${line} of ${name} is not as it was written`, place)
    }
    for (const record of records) {
      if ('remove' in record) throw new HistoryError(`line ${line} of ${name} removes an entry`, { _id: record._id })
      yield record.item
    }
  }
  if (size < length) throw new HistoryError(`${name} has only ${size} of ${length} bytes`)
}

/** What a line says; nothing when it is not to the byte what the store writes for it: JSON has several spellings. */
function parseExactLine(bytes: Uint8Array): readonly JournalRecord<HistoryCollection>[] | undefined {
  try {
    const line = decodeLine(bytes)
    const records = parseJournalLine(line, historyCollections)
    return JSON.stringify(records) === line ? records : undefined
  } catch {
    return undefined
  }
}

/** What is left of a damaged line: the entries before the damaged one, and as much of that one as can still be told. */
function salvageLine(bytes: Buffer): { readonly whole: readonly StoredAuditEntry[]; readonly place: EntryLocation } {
  // One character for each byte, whatever they are.
  const line = bytes.toString('latin1')
  const [opening, ...parts] = line.split(PUT)
  const items = parts.map((part, index) => parseEntry(part, index === parts.length - 1))
  const count = opening === '[' ? items.indexOf(undefined) : 0
  const damaged = parts[opening === '[' ? count : -1] ?? line
  const [, _id, createdAt] = NAMES.exec(damaged) ?? []
  const [, position] = POSITION.exec(damaged) ?? []
  return {
    whole: items.slice(0, Math.max(count, 0)).flatMap((item) => item ?? []),
    place: {
      ...(_id === undefined || createdAt === undefined ? {} : { _id, createdAt }),
      ...(position === undefined ? {} : { position: Number(position) })
    }
  }
}

/** Begins each entry of a line. */
const PUT = '{"put":"auditEntries","item":'

/** The members that an entry begins with. Further on in it there are others of these names. */
const NAMES = /^.{0,40}?\{"_id":"([^"]*)","createdAt":"([^"]*)"/s

/** The members that place an entry in the chain. */
const POSITION = /"position":(\d+),"previousHash":/

/** The item that part of a line is of, as long as it and what follows it are whole. */
function parseEntry(text: string, isLast: boolean): StoredAuditEntry | undefined {
  const [item, end] = [text.slice(0, -2), text.slice(-2)]
  try {
    const json = decodeLine(Buffer.from(item, 'latin1'))
    const value: unknown = JSON.parse(json)
    const isWhole = end === (isLast ? '}]' : '},') && isItem(value) && JSON.stringify(value) === json
    // Whoever reads entries holds them against their hashes.
    return isWhole ? (value as StoredAuditEntry) : undefined
  } catch {
    return undefined
  }
}
