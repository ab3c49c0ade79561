import { decodeLine, readLineBytes } from '../../disk/readLines.ts'
import { historyCollections } from '../../resources/collections.ts'
import { storeOpenError } from '../../storeOpenError.ts'
import { deepFreeze } from '../../tables/deepFreeze.ts'
import { createRowBuilder, type EntryPlace, type HistoryRow } from '../../tables/historyRow.ts'
import { parseRecords } from '../document/journalLine.ts'
import { parsePlacedEntries } from './historyLine.ts'

/** A row, and the place of its entry in the file. */
export interface PlacedRow {
  readonly row: HistoryRow
  readonly place: EntryPlace
}

/** Reads a history file into rows, which contain the places of its entries. */
export class RowReader {
  readonly #path: string
  readonly #toRow = createRowBuilder()
  readonly #rows = new Map<string, HistoryRow>()
  #lines = 0
  /** The number of bytes that were read. */
  #length = 0

  constructor(path: string) {
    this.#path = path
  }

  get length(): number {
    return this.#length
  }

  get rows(): Iterable<HistoryRow> {
    return this.#rows.values()
  }

  /**
   * Adds lines, including line feeds, after those that were read. The file may not have them yet. Returns the rows of
   * entries that have a place.
   * @param isStored Whether the file has the lines. Otherwise, the rows contain the entries.
   */
  addLines(lines: readonly string[], isStored: boolean): readonly PlacedRow[] {
    return lines.flatMap((line) => {
      const rows = this.#add(line.slice(0, -1), isStored)
      this.#length += Buffer.byteLength(line)
      return rows
    })
  }

  /**
   * Reads the lines up to the first `length` bytes of the file.
   * @param remedy Returns the advice for a damaged line, from the number of bytes before it.
   * @throws {StoreOpenError} when a line is damaged.
   */
  async readTo(length: number, remedy: (before: number) => string): Promise<void> {
    try {
      for await (const bytes of readLineBytes(this.#path, length, this.#length)) {
        this.#add(decodeLine(bytes), true)
        this.#length += bytes.length + 1
      }
    } catch (cause) {
      throw storeOpenError(this.#path, `is damaged at line ${this.#lines + 1}`, remedy(this.#length), cause)
    }
  }

  #add(line: string, isStored: boolean): readonly PlacedRow[] {
    const placed = parsePlacedEntries(line, this.#length)
    if (!placed) this.#addUnplaced(line)
    this.#lines++
    return (placed ?? []).map(({ entry, place }) => {
      const row = this.#toRow(entry, isStored ? place : deepFreeze(entry))
      this.#rows.set(entry._id, row)
      return { row, place }
    })
  }

  /** Adds a line with a removal, or one that no store wrote. The places of its entries are unknown: they stay in memory. */
  #addUnplaced(line: string): void {
    for (const record of parseRecords(line, historyCollections)) {
      if ('remove' in record) this.#rows.delete(record._id)
      else this.#rows.set(record.item._id, this.#toRow(record.item, deepFreeze(record.item)))
    }
  }
}
