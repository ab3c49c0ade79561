import { findFileSize } from '../../disk/fileStat.ts'
import { readLineBytes } from '../../disk/readLines.ts'
import { type DayState, DaySummary } from '../engine/daySummary.ts'
import type { EventStoreOptions } from '../engine/eventStorage.ts'
import type { EventEntry } from '../eventEntry.ts'
import { utcHourStart } from '../utcDay.ts'
import { dayFilePath, summaryFilePath } from './dayFileNames.ts'
import { parseEntryLine } from './entryLine.ts'
import { quarantineSummary, readSummary } from './summaryFile.ts'

/** Counts the next entry of the file. `bytes` is the length of its line with the line feed. */
export function addEntry(state: DayState, entry: EventEntry, bytes: number): void {
  const hour = utcHourStart(entry.at)
  if (!state.hours.has(hour)) state.hours.set(hour, state.covered)
  state.summary.add(entry)
  state.covered += bytes
}

/** Returns an offset in the file that precedes all entries since a given time. */
export function findOffset({ hours, covered }: DayState, moment: number): number {
  const start = utcHourStart(moment)
  const offsets = [...hours].filter(([hour]) => hour >= start).map(([, offset]) => offset)
  return Math.min(covered, ...offsets)
}

/** Reads the summary of a day and counts the lines after it. `isComplete` is true if there were none. */
export async function readDayState(
  folder: string,
  day: string,
  { onNotice, assertOwned }: Pick<EventStoreOptions, 'onNotice' | 'assertOwned'>
): Promise<{ readonly state: DayState; readonly isComplete: boolean }> {
  const path = dayFilePath(folder, day)
  const size = await findFileSize(path)
  const summary = summaryFilePath(folder, day)
  const read = await readSummary(summary)
  const known = read === 'damaged' ? undefined : read
  // The entries have expired. A new file of this name would not be covered by the summary.
  if (known && size === undefined) return { state: { ...known, covered: 0, hours: new Map() }, isComplete: true }
  if (known && size === known.covered) return { state: known, isComplete: true }
  const isPart = known !== undefined && known.covered <= (size ?? 0)
  if (read !== undefined && !isPart) {
    await assertOwned?.()
    const problem = read === 'damaged' ? 'is damaged' : `covers more bytes than ${path} has`
    const consequence = size === undefined ? 'the counts of this day are lost' : `it is rebuilt from ${path}`
    onNotice(`${summary} ${problem}: it was moved to ${await quarantineSummary(summary)}, and ${consequence}`)
  }
  const state = isPart ? known : { summary: new DaySummary(), covered: 0, hours: new Map() }
  await replayEntries(path, { day, size: size ?? 0 }, state, onNotice)
  return { state, isComplete: false }
}

/** Counts the lines that are not counted yet. An incomplete last line was never acknowledged. */
async function replayEntries(
  path: string,
  { day, size }: { readonly day: string; readonly size: number },
  state: DayState,
  onNotice: (message: string) => void
): Promise<void> {
  const damaged: number[] = []
  for await (const line of readLineBytes(path, size, state.covered)) {
    const bytes = line.length + 1
    if (state.covered + bytes > size) break
    const entry = parseEntryLine(line, day)
    if (entry) addEntry(state, entry, bytes)
    else {
      damaged.push(state.covered)
      state.covered += bytes
    }
  }
  if (damaged.length === 0) return
  const lines = damaged.length === 1 ? 'a damaged line' : `${damaged.length} damaged lines`
  onNotice(`${path} has ${lines}, the first at byte ${damaged[0]}; damaged lines are skipped`)
}
