import { writeFileAtomic } from '@burgee/kit/files'
import { findFileSize } from '../../disk/fileStat.ts'
import { readLineBytes } from '../../disk/readLines.ts'
import type { DaySummary } from '../engine/daySummary.ts'
import type { EventStoreOptions } from '../engine/eventStorage.ts'
import { MIN_CONTAINED_LENGTH } from '../erasure/replaceId.ts'
import { replaceUserInEntry, type UserReplacement } from '../erasure/replaceUser.ts'
import { dayFilePath, summaryFilePath } from './dayFileNames.ts'
import { readDayState } from './dayState.ts'
import { createLineFilter, formatEntryLine, parseEntryLine } from './entryLine.ts'
import { writeSummary } from './summaryFile.ts'

/**
 * Replaces a user in the files of a day, which must not be open. Returns the number of exposures and events.
 *
 * Lines keep their length: spaces fill what the replacement leaves over. So the summary, which contains offsets in the
 * other file, is valid for it before and after, whichever of the two a crash leaves behind.
 */
export async function replaceUserInDay(
  folder: string,
  day: string,
  replacement: UserReplacement,
  options: Pick<EventStoreOptions, 'onNotice' | 'assertOwned'>
): Promise<number> {
  const { assertOwned } = options
  await assertOwned?.()
  const path = dayFilePath(folder, day)
  const size = await findFileSize(path)
  const counter = { count: 0 }
  if (size !== undefined && (await hasUser(path, day, replacement))) {
    const lines = replaceInLines({ path, size, day }, replacement, counter)
    await writeFileAtomic(path, lines, { beforeRename: assertOwned })
  }
  const { state } = await readDayState(folder, day, options)
  if (state.summary.replaceUser(replacement)) await writeSummary(summaryFilePath(folder, day), state, assertOwned)
  return counter.count
}

/** Whether the files of a day contain the id of a user. `summary` is the summary of the day. */
export async function dayHasUser(
  folder: string,
  day: string,
  summary: DaySummary,
  query: UserReplacement
): Promise<boolean> {
  const path = dayFilePath(folder, day)
  return summary.hasUser(query) || ((await findFileSize(path)) !== undefined && (await hasUser(path, day, query)))
}

/** Whether a file of a day has a line that a replacement changes. */
async function hasUser(path: string, day: string, query: UserReplacement): Promise<boolean> {
  const mayMatch = createMentionFilter(query)
  for await (const line of readLineBytes(path)) {
    const entry = mayMatch(line) ? parseEntryLine(line, day) : undefined
    if (entry && replaceUserInEntry(entry, query)) return true
  }
  return false
}

interface DayFile {
  readonly path: string
  readonly size: number
  readonly day: string
}

/**
 * Copies the complete lines of a file, with the replacement. An incomplete last line was never acknowledged. Returns
 * blocks of lines: appends to the day wait for the copy, and a write per line would take ten times as long.
 */
async function* replaceInLines(
  { path, size, day }: DayFile,
  replacement: UserReplacement,
  counter: { count: number }
): AsyncGenerator<Buffer, void> {
  const mayMatch = createMentionFilter(replacement)
  let block: Buffer[] = []
  let blockStart = 0
  let offset = 0
  for await (const line of readLineBytes(path, size)) {
    offset += line.length + 1
    if (offset > size) break
    const entry = mayMatch(line) ? parseEntryLine(line, day) : undefined
    const replaced = entry && replaceUserInEntry(entry, replacement)
    if (!replaced) block.push(line, LINE_FEED)
    else {
      counter.count += replaced.count
      block.push(padded(formatEntryLine(replaced.entry), line.length))
    }
    if (offset - blockStart < BLOCK_BYTES) continue
    yield Buffer.concat(block)
    block = []
    blockStart = offset
  }
  if (block.length > 0) yield Buffer.concat(block)
}

/** Returns a fast test for lines that a replacement can change. Short ids are looked for as whole strings. */
function createMentionFilter({ environments, user_id }: UserReplacement): (line: Buffer) => boolean {
  return createLineFilter(environments, [user_id], user_id.length >= MIN_CONTAINED_LENGTH ? 'contained' : 'exact')
}

const LINE_FEED = Buffer.from('\n')

const BLOCK_BYTES = 2 ** 20

/** Returns a line of this many bytes, with spaces at its end, which JSON allows. */
function padded(text: string, length: number): Buffer {
  const missing = length - Buffer.byteLength(text)
  // The replacement is never longer than the id, and nothing else is added.
  if (missing < 0) throw new Error('a line with a replaced user is longer than before')
  return Buffer.from(`${text}${' '.repeat(missing)}\n`)
}
