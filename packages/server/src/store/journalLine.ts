import { deepFreeze } from './frozen.ts'
import type { Resources } from './resources.ts'
import { isUserData, type UserData } from './state.ts'
import type { Write } from './store.ts'
import { isItem } from './table.ts'

/** The journal's line for one transaction: what it put and what it removed. */
export function lineOf(writes: readonly Write[]): string {
  return JSON.stringify(writes.map(recordOf))
}

/** What a journal's line says. @throws when it is not such a line. */
export function recordsOf(line: string): readonly JournalRecord[] {
  const records: unknown = JSON.parse(line)
  if (!Array.isArray(records) || !records.every(isRecord)) throw new Error('it is not a list of puts and removals')
  return deepFreeze(records)
}

/** One write as the journal keeps it. */
export type JournalRecord =
  | { readonly put: UserData; readonly item: Resources[UserData] }
  | { readonly remove: UserData; readonly _id: string }

function recordOf({ collection, before, after }: Write): object {
  return after ? { put: collection, item: after } : { remove: collection, _id: before?._id }
}

function isRecord(value: unknown): value is JournalRecord {
  if (typeof value !== 'object' || value === null) return false
  if ('remove' in value) return isUserData(value.remove) && isItem(value)
  return 'put' in value && isUserData(value.put) && 'item' in value && isItem(value.item)
}
