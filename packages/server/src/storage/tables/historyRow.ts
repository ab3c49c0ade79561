import { HistoryError } from '../auditLog.ts'
import type { StoredAuditEntry } from '../resources/history.ts'
import type { ItemMatch, Query } from '../store.ts'
import { membersOf } from './predicates.ts'

/** The members of audit entries that queries can name. */
const queriedMembers = [
  '_id',
  'createdAt',
  '_organization',
  '_project',
  '_feature',
  '_environments',
  'idp_user',
  'actor',
  'sequence',
  'position'
] as const satisfies readonly (keyof StoredAuditEntry)[]

/** An audit entry in a table: the members that queries can name. */
export interface HistoryRow extends Pick<StoredAuditEntry, (typeof queriedMembers)[number]> {
  /**
   * The entry, or, as soon as the history file has it, its place there: the only member that changes. States share the
   * row, and both are the same entry.
   */
  content: StoredAuditEntry | EntryPlace
}

/** Where an entry is in the history file, in bytes. */
export interface EntryPlace {
  readonly offset: number
  readonly length: number
}

/** Returns the entries of rows, in their order. With the hint of a scan, some may be missing. */
export type LoadEntries = (
  rows: readonly HistoryRow[],
  hint?: readonly string[]
) => Promise<readonly StoredAuditEntry[]>

/** Returns the entry of a row that contains it, and `undefined` for one whose entry is in the file. */
export function wholeEntry({ content }: HistoryRow): StoredAuditEntry | undefined {
  return 'offset' in content ? undefined : content
}

/** Loads the entries of a store in memory. */
export const loadWholeEntries: LoadEntries = async (rows) =>
  rows.map((row) => {
    const entry = wholeEntry(row)
    if (!entry) throw new HistoryError('an entry is in a file, and the store has none', { _id: row._id })
    return entry
  })

/** Creates a function that makes rows. Equal texts of its rows, such as the ids of projects, are in memory once. */
export function createRowBuilder(): (entry: StoredAuditEntry, content?: HistoryRow['content']) => HistoryRow {
  const texts = new Map<string, string>()
  const lists = new Map<string, readonly string[]>()
  const shared = <T extends string | undefined>(text: T): T => {
    if (text === undefined) return text
    const known = texts.get(text)
    if (known === undefined) texts.set(text, text)
    // The same characters.
    return (known ?? text) as T
  }
  const sharedList = (list: readonly string[]) => {
    const key = list.join()
    const known = lists.get(key) ?? Object.freeze(list.map(shared))
    lists.set(key, known)
    return known
  }
  return (entry, content = entry) => {
    const { _id, createdAt, _organization, _project, _feature, _environments, idp_user, actor, sequence, position } =
      entry
    return {
      _id,
      createdAt,
      _organization: shared(_organization),
      _project: shared(_project),
      _feature: shared(_feature),
      _environments: sharedList(_environments),
      idp_user: shared(idp_user),
      actor,
      sequence,
      position,
      content
    } as HistoryRow
  }
}

/** Returns the conditions on entries as conditions on their rows. @throws when they name a member that rows lack. */
export function toRowMatch(match: ItemMatch<StoredAuditEntry>): ItemMatch<HistoryRow> {
  assertQueried(Object.keys(match))
  return match
}

/** Returns a query of entries as a query of their rows. @throws when it names a member that rows lack. */
export function toRowQuery(query: Query<StoredAuditEntry>): Query<HistoryRow> {
  assertQueried(membersOf(query))
  return query as Query<HistoryRow>
}

function assertQueried(names: readonly string[]): void {
  const known: readonly string[] = queriedMembers
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined) {
    throw new Error(`auditEntries cannot be queried by ${unknown}; the members in memory are ${known.join(', ')}`)
  }
}
