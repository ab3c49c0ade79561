import { rm } from 'node:fs/promises'
import { sizeOf } from '../../disk/sizeOf.ts'
import { DAY } from '../../duration.ts'
import type { EventStoreOptions } from '../home.ts'
import { dayOf, SUMMARY_DAYS } from '../utcDay.ts'
import { dayFile, summaryFile } from './dayFile.ts'
import { readDay } from './dayState.ts'
import { writeSummary } from './summaryFile.ts'

/** Removes the files of days that are not kept any more; what a day came to is kept before its entries go. `days` loses those of which nothing is left. */
export async function removeOld(
  folder: string,
  days: Set<string>,
  isOpen: (day: string) => boolean,
  { now, retention, onNotice, onInfo }: EventStoreOptions
): Promise<void> {
  const [oldestEntries, oldestSummary] = [dayOf(now() - retention * DAY), dayOf(now() - SUMMARY_DAYS * DAY)]
  const old = [...days].filter((day) => day < oldestEntries && !isOpen(day))
  for (const day of old.sort()) {
    const path = dayFile(folder, day)
    if ((await sizeOf(path)) !== undefined) {
      const { state, isKept } = await readDay(folder, day, onNotice)
      if (!isKept) await writeSummary(summaryFile(folder, day), state)
      await rm(path)
      onInfo?.(`${path} was deleted: events are kept for ${retention} days`)
    }
    if (day >= oldestSummary) continue
    await rm(summaryFile(folder, day), { force: true })
    days.delete(day)
    onInfo?.(`${summaryFile(folder, day)} was deleted: what was counted is kept for ${SUMMARY_DAYS} days`)
  }
}
