import { join } from 'node:path'

/** The file that has the entries of a day. */
export function dayFilePath(folder: string, day: string): string {
  return join(folder, `${day}.jsonl`)
}

/** The file that has what they come to. */
export function summaryFilePath(folder: string, day: string): string {
  return join(folder, `${day}.summary.json`)
}

/** The day that a file of this name is about, and whether it has the entries; undefined for other files. */
export function parseDayFileName(name: string): { readonly day: string; readonly hasEntries: boolean } | undefined {
  const [, day, ending] = /^(\d{4}-\d\d-\d\d)\.(jsonl|summary\.json)$/.exec(name) ?? []
  return day === undefined ? undefined : { day, hasEntries: ending === 'jsonl' }
}
