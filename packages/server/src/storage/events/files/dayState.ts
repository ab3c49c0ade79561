import { findFileSize } from '../../disk/fileStat.ts'
import { readLineBytes } from '../../disk/readLines.ts'
import { type DayState, DaySummary } from '../engine/daySummary.ts'
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

/** Returns the offset in the file from which entries since a moment can be. */
export function findOffset({ hours, covered }: DayState, moment: number): number {
  const start = utcHourStart(moment)
  const offsets = [...hours].filter(([hour]) => hour >= start).map(([, offset]) => offset)
  return Math.min(covered, ...offsets)
}

/** Reads the summary of a day and counts the lines after it. `isKept` is true if there were none. */
export async function readDayState(
  folder: string,
  day: string,
  onNotice: (message: string) => void
): Promise<{ readonly state: DayState; readonly isKept: boolean }> {
  const path = dayFilePath(folder, day)
  const size = await findFileSize(path)
  const summary = summaryFilePath(folder, day)
  const read = await readSummary(summary)
  const known = read === 'damaged' ? undefined : read
  // The entries have expired. Nothing of a new file of this name is counted yet.
  if (known && size === undefined) return { state: { ...known, covered: 0, hours: new Map() }, isKept: true }
  if (known && size === known.covered) return { state: known, isKept: true }
  const isPart = known !== undefined && known.covered <= (size ?? 0)
  if (read !== undefined && !isPart) {
    const wrong = read === 'damaged' ? 'is damaged' : `counts more than there is of ${path}`
    const remains = size === undefined ? 'there is nothing else of this day' : `it is made again from ${path}`
    onNotice(`${summary} ${wrong}: it is kept as ${await quarantineSummary(summary)}, and ${remains}`)
  }
  const state = isPart ? known : { summary: new DaySummary(), covered: 0, hours: new Map() }
  await replayEntries(path, { day, size: size ?? 0 }, state, onNotice)
  return { state, isKept: false }
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
