import type { SdkType } from '@burgee/contract'
import { isRecord } from '@burgee/kit'
import type { StoredAccessEntry } from '../accessLog/accessLog.ts'
import { type Resources, uniqueKeys } from '../resources/collections.ts'
import { type Item, isItem } from '../tables/table.ts'

/**
 * A record of an export: one line of JSON. Exports of equal stores are equal, byte for byte: items are sorted by id,
 * audit entries by position, counts by what they count.
 */
export type TransferRecord =
  | { readonly put: keyof Resources; readonly item: Item }
  | { readonly events: { readonly since: number; readonly completeSince: number } }
  | { readonly entry: { readonly environment: string; readonly at: number } }
  | { readonly counts: readonly CountRow[] }
  | { readonly users: readonly UsersRow[] }
  /** A file that results of experiments derived from events; the content is in base64. */
  | { readonly eventFile: string; readonly content: string }
  | { readonly access: StoredAccessEntry }

/** A record, and the line that contains it. */
export interface ParsedRecord {
  readonly record: TransferRecord
  readonly line: string
}

/** Evaluations of an hour; an empty text is an absent name. */
export type CountRow = readonly [
  environment: string,
  hour: number,
  feature: string,
  variable: string,
  variation: string,
  platform: string,
  sdkType: SdkType,
  count: number
]

/** The set of users of an hour, as `DistinctUsers` formats it. */
export type UsersRow = readonly [environment: string, hour: number, sdkType: SdkType, users: string]

/** The number of rows in a record. */
const ROWS_PER_RECORD = 100

/** Divides rows into those of each record. */
export function chunk<T>(rows: readonly T[]): readonly (readonly T[])[] {
  const parts: T[][] = []
  for (let start = 0; start < rows.length; start += ROWS_PER_RECORD)
    parts.push(rows.slice(start, start + ROWS_PER_RECORD))
  return parts
}

/** Formats a record as a line, without a line feed. */
export function formatRecord(record: TransferRecord): string {
  return JSON.stringify(record)
}

/** Parses a line. @throws when it is not a record. */
export function parseRecord(line: string): ParsedRecord {
  const record: unknown = JSON.parse(line)
  if (isRecord(record) && isKnown(record)) return { record, line }
  throw new Error('it is not a record of an export')
}

/** The members of each kind; exports have a checksum, which proves the rest. */
function isKnown(value: Record<string, unknown>): value is TransferRecord & Record<string, unknown> {
  const { put, item, events, entry, counts, users, eventFile, content, access } = value
  if (put !== undefined) return typeof put === 'string' && put in uniqueKeys && isItem(item)
  if (eventFile !== undefined) return typeof eventFile === 'string' && typeof content === 'string'
  if (entry !== undefined)
    return isRecord(entry) && typeof entry.environment === 'string' && typeof entry.at === 'number'
  return isRecord(events) || isRecord(access) || Array.isArray(counts) || Array.isArray(users)
}

/** Sorts rows by their columns. Columns are strings or numbers; the last one is a value. */
export function sortRows<Row extends readonly (string | number)[]>(rows: Row[]): Row[] {
  return rows.sort((one, other) => {
    for (const [at, left] of one.entries()) {
      const right = other[at]
      if (right === undefined || left === right) continue
      return left < right ? -1 : 1
    }
    return 0
  })
}

/** Sorts items by id, by code unit. */
export function sortById<T extends Item>(items: Iterable<T>): T[] {
  return [...items].sort((one, other) => (one._id < other._id ? -1 : 1))
}
