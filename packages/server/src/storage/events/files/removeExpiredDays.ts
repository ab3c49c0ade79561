import { rm } from 'node:fs/promises'
import { DAY } from '../../../lib/time.ts'
import { findFileSize } from '../../disk/fileStat.ts'
import type { EventStoreOptions } from '../engine/eventStorage.ts'
import { SUMMARY_RETENTION_DAYS, toUtcDay } from '../utcDay.ts'
import { dayFilePath, summaryFilePath } from './dayFileNames.ts'
import { readDayState } from './dayState.ts'
import { writeSummary } from './summaryFile.ts'

/** Removes the files of days that are not kept any more; what a day came to is kept before its entries go. `days` loses those of which nothing is left. */
export async function removeExpiredDays(
  folder: string,
  days: Set<string>,
  isOpen: (day: string) => boolean,
  { now, retention, onNotice, onInfo }: EventStoreOptions
): Promise<void> {
  const [oldestEntries, oldestSummary] = [
    toUtcDay(now() - retention * DAY),
    toUtcDay(now() - SUMMARY_RETENTION_DAYS * DAY)
  ]
  const old = [...days].filter((day) => day < oldestEntries && !isOpen(day))
  for (const day of old.sort()) {
    const path = dayFilePath(folder, day)
    if ((await findFileSize(path)) !== undefined) {
      const { state, isKept } = await readDayState(folder, day, onNotice)
      if (!isKept) await writeSummary(summaryFilePath(folder, day), state)
      await rm(path)
      onInfo?.(`${path} was deleted: events are kept for ${retention} days`)
    }
    if (day >= oldestSummary) continue
    await rm(summaryFilePath(folder, day), { force: true })
    days.delete(day)
    onInfo?.(`${summaryFilePath(folder, day)} was deleted: what was counted is kept for ${SUMMARY_RETENTION_DAYS} days`)
  }
}
