import { type FileHandle, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '@burgee/kit/files'
import { endOfLastLine } from '../disk/appendLog.ts'
import { formatLength } from '../disk/lengthRecord.ts'
import { openIfPresent } from '../disk/openIfPresent.ts'
import { dayFilePath, parseDamagedFileName, parseDayFileName, summaryFilePath } from '../events/files/dayFileNames.ts'
import { EXPIRED_FILE } from '../events/files/removeExpiredDays.ts'
import { formatDocument } from '../lowdb/document/storeDocument.ts'
import {
  DOCUMENT_FILE,
  HISTORY_FILE,
  JOURNAL_FILE,
  JOURNAL_LENGTH_FILE,
  MARKER_CONTENT,
  MARKER_FILE
} from '../lowdb/storeDirectory.ts'
import { readStoreDocument } from '../open/readStoreDocument.ts'
import { storeOpenError } from '../storeOpenError.ts'

/** A file to copy. */
export interface StoreFile {
  /** The path below the directory of the store, with `/`. */
  readonly name: string
  /** The number of bytes of `content`. */
  readonly bytes: number
  readonly content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>
  /** A file with exactly this content that never changes, only is replaced: it can be linked instead of copied. */
  readonly linkable?: string
}

/** The files of a store at one moment. */
export interface StoreFiles {
  /** The last commit that they contain. */
  readonly revision: number
  /** The content of a file can be read until the next one is asked for. */
  readonly files: AsyncIterable<StoreFile>
}

/**
 * Reads the files of a store so that they form a consistent copy, even while a server changes them. Flags and audit log
 * end at the same commit. User data and events are read after it: no acknowledged delivery is missing.
 * @throws {StoreOpenError} when there is no such store, or it is damaged.
 */
export async function readStoreFiles(directory: string, today: string): Promise<StoreFiles> {
  const { historyLength, historyLines, ...document } = await readStoreDocument(`file:${directory}`)
  const text = Buffer.from(formatDocument({ ...document, historyLength }))
  return {
    revision: document.revision,
    files: (async function* () {
      yield* readHistory(join(directory, HISTORY_FILE), historyLength, historyLines)
      for await (const journal of readLinesOf(directory, JOURNAL_FILE)) {
        yield journal
        yield inMemory(JOURNAL_LENGTH_FILE, Buffer.from(formatLength(journal.bytes)))
      }
      yield* readEvents(directory, today)
      for (const name of await namesIn(join(directory, 'access'))) {
        const day = parseDayFileName(name)?.day
        if (day !== undefined) yield* readLinesOf(directory, `access/${name}`, isPast(day, today))
      }
      // Last, because a copy without it is not a store.
      yield inMemory(MARKER_FILE, Buffer.from(MARKER_CONTENT))
      yield inMemory(DOCUMENT_FILE, text)
    })()
  }
}

/** Reads the committed bytes of the history; the last lines may be missing in its file. */
async function* readHistory(path: string, length: number, lines: readonly string[]): AsyncGenerator<StoreFile, void> {
  if (length === 0) return
  const file = await openIfPresent(path)
  try {
    const size = Math.min(length, file ? (await file.stat()).size : 0)
    const missing: string[] = []
    let end = length
    for (const line of lines.toReversed()) {
      if (end <= size) break
      missing.unshift(line)
      end -= Buffer.byteLength(line)
    }
    if (end > size) {
      throw storeOpenError(
        path,
        `has ${size} bytes, and ${end} of them are committed`,
        'a damaged store cannot be backed up: restore an earlier backup'
      )
    }
    yield {
      name: HISTORY_FILE,
      bytes: length,
      content: (async function* () {
        if (file) yield* readRange(file, end)
        yield Buffer.from(missing.join(''))
      })()
    }
  } finally {
    await file?.close()
  }
}

async function* readEvents(directory: string, today: string): AsyncGenerator<StoreFile, void> {
  const folder = join(directory, 'events')
  // Tables refer to entries, so they are read first.
  for (const name of await namesIn(join(folder, 'tables'))) {
    if (/^[\w-]+\.(?:json|table)$/.test(name)) yield* readWhole(directory, `events/tables/${name}`)
  }
  const names = await namesIn(folder)
  for (const name of ['since', EXPIRED_FILE]) {
    if (names.includes(name)) yield* readWhole(directory, `events/${name}`)
  }
  const days = new Set(names.flatMap((name) => parseDayFileName(name)?.day ?? []))
  for (const day of days) yield* readDay(directory, day, isPast(day, today))
  for (const name of names) {
    if (parseDamagedFileName(name) !== undefined) yield* readWhole(directory, `events/${name}`)
  }
}

/**
 * Reads the entries and the summary of a day. The entries are opened first: a summary is complete when they are deleted.
 * Their end is determined last, so that they have all bytes that the summary covers.
 */
async function* readDay(directory: string, day: string, isUnchanging: boolean): AsyncGenerator<StoreFile, void> {
  const folder = join(directory, 'events')
  const entries = await openIfPresent(dayFilePath(folder, day))
  try {
    yield* readWhole(directory, `events/${day}.summary.json`, summaryFilePath(folder, day))
    if (entries)
      yield await toLines(entries, `events/${day}.jsonl`, isUnchanging ? dayFilePath(folder, day) : undefined)
  } finally {
    await entries?.close()
  }
}

/** Reads the complete lines of a file, if it exists. An incomplete one was not acknowledged. */
async function* readLinesOf(directory: string, name: string, isUnchanging = false): AsyncGenerator<StoreFile, void> {
  const path = join(directory, name)
  const file = await openIfPresent(path)
  if (!file) return
  try {
    yield await toLines(file, name, isUnchanging ? path : undefined)
  } finally {
    await file.close()
  }
}

async function toLines(file: FileHandle, name: string, path: string | undefined): Promise<StoreFile> {
  const { size } = await file.stat()
  const bytes = await endOfLastLine(file, size)
  const linkable = path !== undefined && bytes === size ? { linkable: path } : {}
  return { name, bytes, content: readRange(file, bytes), ...linkable }
}

/** Reads a file that is only ever replaced, if it exists. */
async function* readWhole(directory: string, name: string, path = join(directory, name)) {
  const file = await openIfPresent(path)
  if (!file) return
  try {
    const { size } = await file.stat()
    yield { name, bytes: size, content: readRange(file, size), linkable: path }
  } finally {
    await file.close()
  }
}

async function* readRange(file: FileHandle, bytes: number): AsyncGenerator<Uint8Array, void> {
  for (let position = 0; position < bytes; ) {
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK, bytes - position))
    const { bytesRead } = await file.read(chunk, 0, chunk.length, position)
    if (bytesRead === 0) throw new Error(`a file became shorter while it was copied: it has no byte ${position}`)
    yield chunk.subarray(0, bytesRead)
    position += bytesRead
  }
}

const CHUNK = 262_144

function inMemory(name: string, content: Uint8Array): StoreFile {
  return { name, bytes: content.length, content: [content] }
}

/** Whether nothing is appended to the files of a day: an append can begin at midnight. */
function isPast(day: string, today: string): boolean {
  return Date.parse(today) - Date.parse(day) > 86_400_000
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).sort()
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return []
    throw error
  }
}
