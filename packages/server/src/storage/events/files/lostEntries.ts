import { readdir, readFile, rm } from 'node:fs/promises'
import { hasCode, writeFileAtomic } from '@burgee/kit/files'
import { reasonOf } from '../../../lib/reasonOf.ts'
import { DAY, toIsoString } from '../../../lib/time.ts'
import { findFileSize } from '../../disk/fileStat.ts'
import { readLength } from '../../disk/lengthRecord.ts'
import type { OnNotice } from '../../onNotice.ts'
import type { EventStoreOptions } from '../engine/eventStorage.ts'
import { toUtcDay } from '../utcDay.ts'
import {
  dayFilePath,
  lengthFilePath,
  lostFilePath,
  parseDayFileName,
  parseLengthFileName,
  parseLostFileName,
  summaryFilePath
} from './dayFileNames.ts'
import { newestDayPath, readNewestDay } from './newestDay.ts'
import { readExpired } from './removeExpiredDays.ts'
import { readSummaryHead } from './summaryFile.ts'

/**
 * Records the losses that the files of a folder show. Returns the days whose summaries cover more entries than there are.
 * @param names The names of the files.
 */
export async function recordLosses(
  folder: string,
  names: readonly string[],
  { now, retention, assertOwned, onNotice }: EventStoreOptions
): Promise<readonly string[]> {
  const known = await readKnownDays(folder, names, toUtcDay(now() - retention * DAY))
  const shortened: string[] = []
  for (const { path, problem, covers } of await findInvalidRecords(folder, names)) {
    const consequence = `so this start cannot tell whether ${covers} is complete`
    onNotice(`${path} ${problem}, ${consequence}: compare it with a backup, and delete ${path}`, 'error')
  }
  for (const day of listKnownDays(known)) {
    const loss = await findLoss(folder, day, known)
    if (loss === undefined) continue
    const path = dayFilePath(folder, day)
    try {
      await recordLoss(folder, { day, loss, now: now() }, assertOwned)
    } catch (error) {
      onNotice(`${path} ${loss}, which could not be recorded: ${reasonOf(error)}`, 'error')
    }
    const size = await findFileSize(path)
    if (size !== undefined && (known.covered.get(day) ?? 0) > size) shortened.push(day)
  }
  return shortened
}

/** A record that does not contain what it should. */
interface InvalidRecord {
  readonly path: string
  /** What is wrong, as a predicate of the file. */
  readonly problem: string
  /** What cannot be checked without the record. */
  readonly covers: string
}

/** Finds the invalid ones of the recorded lengths of days, and of the newest day. @param names The names of the files. */
export async function findInvalidRecords(folder: string, names: readonly string[]): Promise<readonly InvalidRecord[]> {
  const found: InvalidRecord[] = []
  const { problem } = await readNewestDay(folder)
  if (problem !== undefined) found.push({ path: newestDayPath(folder), problem, covers: folder })
  for (const day of names.flatMap((name) => parseLengthFileName(name) ?? [])) {
    const path = lengthFilePath(folder, day)
    const { problem } = await readLength(path)
    if (problem !== undefined) found.push({ path, problem, covers: dayFilePath(folder, day) })
  }
  return found
}

/** Reports the recorded losses, until an operator acknowledges them. */
export async function reportLosses(folder: string, onNotice: OnNotice): Promise<void> {
  const days = (await readdir(folder)).flatMap((name) => parseLostFileName(name) ?? [])
  for (const day of days.sort()) {
    for (const { loss } of (await readLosses(folder, day)) ?? []) {
      const report = lostFilePath(folder, day)
      const remedy = `restore the file from a backup and delete ${report}, or empty that file to acknowledge the loss`
      onNotice(`${dayFilePath(folder, day)} ${loss}; ${remedy}`, 'error')
    }
  }
}

/** The days of a folder, as its files describe them. */
export interface KnownDays {
  /** The names of the files. */
  readonly names: readonly string[]
  /** The number of bytes of entries that each summary covers. */
  readonly covered: ReadonlyMap<string, number>
  /** The days that had files once: summaries of later days name them as their predecessors, or a record as the newest. */
  readonly recorded: ReadonlySet<string>
  /** Whether the entries of a day have expired, so that its files can be missing. */
  readonly isExpired: (day: string) => boolean
}

/** Reads the days of a folder with these files. @param oldest The oldest day whose entries have not expired. */
export async function readKnownDays(folder: string, names: readonly string[], oldest: string): Promise<KnownDays> {
  const covered = new Map<string, number>()
  const { day: newest } = await readNewestDay(folder)
  const recorded = new Set(newest === undefined ? [] : [newest])
  for (const { day, hasEntries } of names.flatMap((name) => parseDayFileName(name) ?? [])) {
    const head = hasEntries ? undefined : await readSummaryHead(summaryFilePath(folder, day))
    if (!head) continue
    covered.set(day, head.covered)
    if (head.previous !== undefined) recorded.add(head.previous)
  }
  const expired = (await readExpired(folder)) ?? ''
  return { names, covered, recorded, isExpired: (day) => day < oldest || day <= expired }
}

/** Returns the days that have files, or are recorded to have had some. */
export function listKnownDays({ names, recorded }: Pick<KnownDays, 'names' | 'recorded'>): readonly string[] {
  const named = names.flatMap((name) => parseDayFileName(name)?.day ?? parseLengthFileName(name) ?? [])
  return [...new Set([...named, ...recorded])].sort()
}

/** Describes the lost entries of a day as a sentence without its subject, the file; `undefined` if none are missing. */
export async function findLoss(folder: string, day: string, known: KnownDays): Promise<string | undefined> {
  // Before the size: the file can only grow meanwhile.
  const recorded = await readLength(lengthFilePath(folder, day))
  const expected = Math.max(known.covered.get(day) ?? 0, recorded.bytes)
  const size = await findFileSize(dayFilePath(folder, day))
  if (size !== undefined) {
    return size < expected ? `has only ${size} of ${expected} bytes: acknowledged events are lost` : undefined
  }
  // A missing file was reported before, or an operator has emptied the report.
  const isReported = (await readLosses(folder, day)) !== undefined
  if (isReported || known.isExpired(day)) return undefined
  const missing = 'is missing, and its entries have not expired'
  if (expected > 0) return `${missing}: ${expected} bytes of events are lost, and at most their counts remain`
  const days = known.names.flatMap((name) => parseDayFileName(name)?.day ?? [])
  if (!known.recorded.has(day) || days.includes(day)) return undefined
  return `${missing}: its events and counts are lost${days.length === 0 ? ', and those of all earlier days' : ''}`
}

/**
 * Records a loss in a file beside the entries. Its evidence does not last: recorded lengths are overwritten, and
 * summaries are rebuilt from the remaining entries.
 */
async function recordLoss(
  folder: string,
  { day, loss, now }: { readonly day: string; readonly loss: string; readonly now: number },
  assertOwned: EventStoreOptions['assertOwned']
): Promise<void> {
  const before = (await readLosses(folder, day)) ?? []
  if (before.at(-1)?.loss === loss) return
  const lines = [...before, { at: toIsoString(now), loss }].map((one) => `${one.at} ${one.loss}\n`)
  await writeFileAtomic(lostFilePath(folder, day), lines.join(''), { beforeRename: assertOwned })
  // Otherwise, the next start would find a loss again that an operator has acknowledged.
  if ((await findFileSize(dayFilePath(folder, day))) !== undefined) {
    await assertOwned?.()
    await rm(lengthFilePath(folder, day), { force: true })
  }
}

/** Reads the recorded losses of a day: none if an operator has emptied the file, `undefined` if there is no file. */
export async function readLosses(
  folder: string,
  day: string
): Promise<readonly { readonly at: string; readonly loss: string }[] | undefined> {
  try {
    const lines = (await readFile(lostFilePath(folder, day), 'utf8')).split('\n').filter((line) => line.trim() !== '')
    return lines.map((line) => {
      const [at = '', ...words] = line.split(' ')
      return { at, loss: words.join(' ') }
    })
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}
