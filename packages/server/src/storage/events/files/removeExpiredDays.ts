import { readdir, readFile, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { hasCode, writeFileAtomic } from '@burgee/kit/files'
import { DAY } from '../../../lib/time.ts'
import { findFileSize } from '../../disk/fileStat.ts'
import type { EventStoreOptions } from '../engine/eventStorage.ts'
import { SUMMARY_RETENTION_DAYS, toUtcDay } from '../utcDay.ts'
import {
  dayFilePath,
  lengthFilePath,
  parseDamagedFileName,
  parseLengthFileName,
  parseLostFileName,
  summaryFilePath
} from './dayFileNames.ts'
import { readDayState } from './dayState.ts'
import { writeSummary } from './summaryFile.ts'

/**
 * Deletes the files of expired days, except those in use. The summary of a day is written before its entries are
 * deleted. Removes from `days` those that have no files left. Returns the days whose entries were deleted.
 */
export async function removeExpiredDays(
  folder: string,
  days: Set<string>,
  isInUse: (day: string) => boolean,
  options: EventStoreOptions
): Promise<readonly string[]> {
  const { now, retention, assertOwned, onInfo } = options
  const remove = async (path: string) => {
    await assertOwned?.()
    await rm(path, { force: true })
  }
  const oldestEntries = toUtcDay(now() - retention * DAY)
  const oldestSummary = toUtcDay(now() - SUMMARY_RETENTION_DAYS * DAY)
  const onExpired = (path: string) =>
    onInfo?.(`${path} was deleted: counts are kept for ${SUMMARY_RETENTION_DAYS} days`)
  const removed: string[] = []
  let recorded = await readExpired(folder)
  const expired = [...days].filter((day) => day < oldestEntries && !isInUse(day))
  for (const day of expired.sort()) {
    const path = dayFilePath(folder, day)
    const summary = summaryFilePath(folder, day)
    if ((await findFileSize(path)) !== undefined) {
      const { state, isComplete } = await readDayState(folder, day, options)
      if (!isComplete) await writeSummary(summary, state, assertOwned)
      if (recorded === undefined || day > recorded) {
        await writeFileAtomic(join(folder, EXPIRED_FILE), `${day}\n`, { beforeRename: assertOwned })
        recorded = day
      }
      await remove(path)
      await remove(lengthFilePath(folder, day))
      removed.push(day)
      onInfo?.(`${path} was deleted: events are kept for ${retention} days`)
    }
    if (day >= oldestSummary) continue
    await remove(summary)
    days.delete(day)
    onExpired(summary)
  }
  const names = new Set(await readdir(folder))
  for (const name of names) {
    const lengthDay = parseLengthFileName(name)
    const lostDay = parseLostFileName(name)
    if (lostDay !== undefined && lostDay < oldestEntries) await remove(join(folder, name))
    // The server may have been killed between the removal of entries and of their length.
    if (lengthDay !== undefined && lengthDay < oldestEntries && !isInUse(lengthDay)) {
      if (!names.has(basename(dayFilePath(folder, lengthDay)))) await remove(join(folder, name))
    }
    const day = parseDamagedFileName(name)
    if (day === undefined || day >= oldestSummary) continue
    await remove(join(folder, name))
    onExpired(join(folder, name))
  }
  return removed
}

/** Reads the last day whose entries were deleted; `undefined` if there is none. */
export async function readExpired(folder: string): Promise<string | undefined> {
  try {
    return /^\d{4}-\d\d-\d\d$/m.exec(await readFile(join(folder, EXPIRED_FILE), 'utf8'))?.[0]
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/** The file with that day. Without it, expired days would be reported as lost after the retention is extended. */
export const EXPIRED_FILE = 'expired'
