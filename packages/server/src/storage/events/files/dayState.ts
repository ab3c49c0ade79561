import { findFileSize } from '../../disk/fileStat.ts'
import { readLineBytes } from '../../disk/readLines.ts'
import { type DayState, DaySummary } from '../engine/daySummary.ts'
import type { EventEntry } from '../eventEntry.ts'
import { utcHourStart } from '../utcDay.ts'
import { dayFilePath, summaryFilePath } from './dayFileNames.ts'
import { parseEntryLine } from './entryLine.ts'
import { quarantineFile, readSummary } from './summaryFile.ts'

/** Counts an entry whose line is the next one of the file, and takes so many bytes with its end. */
export function addEntry(state: DayState, entry: EventEntry, bytes: number): void {
  const hour = utcHourStart(entry.at)
  if (!state.hours.has(hour)) state.hours.set(hour, state.covered)
  state.summary.add(entry)
  state.covered += bytes
}

/** Where in the file the entries since a moment begin, at the earliest. */
export function findOffset({ hours, covered }: DayState, moment: number): number {
  const start = utcHourStart(moment)
  const offsets = [...hours].filter(([hour]) => hour >= start).map(([, offset]) => offset)
  return Math.min(covered, ...offsets)
}

/** What the files of a day come to: its summary, and those lines that came after. `isKept` says whether the summary alone has it all. */
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
  // Nothing of a new file of this name is counted yet.
  if (known && size === undefined) return { state: { ...known, covered: 0, hours: new Map() }, isKept: true }
  if (known && size === known.covered) return { state: known, isKept: true }
  const isPart = known !== undefined && known.covered <= (size ?? 0)
  if (read !== undefined && !isPart) {
    const wrong = read === 'damaged' ? 'is damaged' : `counts more than there is of ${path}`
    const remains = size === undefined ? 'there is nothing else of this day' : `it is made anew from ${path}`
    onNotice(`${summary} ${wrong}: it is kept as ${await quarantineFile(summary)}, and ${remains}`)
  }
  const state = isPart ? known : { summary: new DaySummary(), covered: 0, hours: new Map() }
  await replayEntries(path, { day, size: size ?? 0 }, state, onNotice)
  return { state, isKept: false }
}

/** Counts what comes after that which is counted. A last line without its end was never acknowledged. */
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
  onNotice(`${path} has ${lines}, the first at byte ${damaged[0]}; what cannot be read is left out`)
}
