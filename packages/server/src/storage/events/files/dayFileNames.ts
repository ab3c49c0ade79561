import { join } from 'node:path'

/** Returns the path of the entries of a day. */
export function dayFilePath(folder: string, day: string): string {
  return join(folder, `${day}.jsonl`)
}

/** Returns the path of the summary of a day. */
export function summaryFilePath(folder: string, day: string): string {
  return join(folder, `${day}.summary.json`)
}

/** Returns the path of the recorded length of the entries of a day, which exists until a summary covers them. */
export function lengthFilePath(folder: string, day: string): string {
  return join(folder, `${day}${LENGTH_ENDING}`)
}

/** Parses the name of a file with a length; returns its day. */
export function parseLengthFileName(name: string): string | undefined {
  return name.endsWith(LENGTH_ENDING) ? name.slice(0, -LENGTH_ENDING.length) : undefined
}

const LENGTH_ENDING = '.length'

/** Returns the path of the report of lost entries of a day; see `lostEntries.ts`. */
export function lostFilePath(folder: string, day: string): string {
  return join(folder, `${day}.lost`)
}

/** Parses the name of a report of lost entries; returns its day. */
export function parseLostFileName(name: string): string | undefined {
  return /^(\d{4}-\d\d-\d\d)\.lost$/.exec(name)?.[1]
}

/** Parses the name of a file with entries, or with a summary; returns `undefined` for other files. */
export function parseDayFileName(name: string): { readonly day: string; readonly hasEntries: boolean } | undefined {
  const [, day, ending] = /^(\d{4}-\d\d-\d\d)\.(jsonl|summary\.json)$/.exec(name) ?? []
  return day === undefined ? undefined : { day, hasEntries: ending === 'jsonl' }
}

/** Returns the path for a damaged summary. A day can have several; `number` distinguishes them. */
export function damagedFilePath(summary: string, number: number): string {
  return number === 1 ? `${summary}.damaged` : `${summary}.damaged.${number}`
}

/** Parses the name of a damaged summary; returns its day. */
export function parseDamagedFileName(name: string): string | undefined {
  return /^(\d{4}-\d\d-\d\d)\.summary\.json\.damaged(?:\.\d+)?$/.exec(name)?.[1]
}
