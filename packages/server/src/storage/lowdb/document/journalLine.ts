import { crc32 } from 'node:zlib'
import type { ItemCodec } from '../../encryption/itemCodec.ts'
import type { Resources } from '../../resources/collections.ts'
import type { StoreWrite } from '../../store.ts'
import { deepFreeze } from '../../tables/deepFreeze.ts'
import { isItem } from '../../tables/table.ts'

/** Formats the puts and removals of a transaction as a line. @param codec Encrypts secrets; none if omitted. */
export function formatJournalLine(writes: readonly StoreWrite[], codec?: ItemCodec): string {
  return JSON.stringify(writes.map((write) => toRecord(write, codec)))
}

/** Wraps a line of `formatJournalLine` with a checksum: CRC-32, because a file can have a million lines. */
export function withChecksum(line: string): string {
  return `{"crc32":"${checksumOf(line)}","changes":${line}}`
}

/** Unwraps a line of `withChecksum`. Lines of earlier versions have no checksum. @throws if it does not match. */
export function checkedLine(line: string): string {
  const [, checksum, changes] = /^\{"crc32":"([0-9a-f]{8})","changes":(.*)\}$/s.exec(line) ?? []
  if (changes === undefined) return line
  if (checksum !== checksumOf(changes)) throw new Error('its checksum does not match')
  return changes
}

function checksumOf(text: string): string {
  return crc32(text).toString(16).padStart(8, '0')
}

/** Parses a line of a file with these collections; items are frozen. @throws when it is not such a line. */
export function parseJournalLine<K extends keyof Resources>(
  line: string,
  collections: readonly K[]
): readonly JournalRecord<K>[] {
  return deepFreeze(parseRecords(line, collections))
}

/** Like `parseJournalLine`, but does not freeze items. */
export function parseRecords<K extends keyof Resources>(
  line: string,
  collections: readonly K[]
): readonly JournalRecord<K>[] {
  const records: unknown = JSON.parse(line)
  const isRecord = (value: unknown): value is JournalRecord<K> => isRecordOf(value, collections)
  if (!Array.isArray(records) || !records.every(isRecord)) throw new Error('it is not a list of puts and removals')
  return records
}

/** One write in a line. */
export type JournalRecord<K extends keyof Resources> =
  | { readonly put: K; readonly item: Resources[K] }
  | { readonly remove: K; readonly _id: string }

function toRecord({ collection, before, after }: StoreWrite, codec: ItemCodec | undefined): object {
  if (!after) return { remove: collection, _id: before?._id }
  return { put: collection, item: codec ? codec.encode(collection, after) : after }
}

function isRecordOf(value: unknown, collections: readonly unknown[]): boolean {
  if (typeof value !== 'object' || value === null) return false
  if ('remove' in value) return collections.includes(value.remove) && isItem(value)
  return 'put' in value && collections.includes(value.put) && 'item' in value && isItem(value.item)
}
