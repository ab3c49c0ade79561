import type { AuditLogEntry } from '@burgee/contract/schemas'
import type { AuditChangeType } from '../../components/diff/changeWords.ts'

/** The kind of who made a change. */
export type ActorKind = NonNullable<AuditLogEntry['actor']>

export const actorKinds: readonly { readonly value: ActorKind; readonly label: string }[] = [
  { value: 'person', label: 'People' },
  { value: 'assistant', label: 'Assistants' },
  { value: 'client', label: 'API clients' },
  { value: 'workload', label: 'CI jobs' },
  { value: 'server', label: 'The server' }
]

/** The part of the history that is shown, from the address. */
export interface HistorySearch {
  /** The entry that a link is about. */
  readonly entry?: string | undefined
  /** Key of an environment. */
  readonly in?: string | undefined
  readonly type?: AuditChangeType | undefined
  readonly actor?: ActorKind | undefined
  /** Days in the zone of the browser, as 2026-03-01. */
  readonly from?: string | undefined
  readonly to?: string | undefined
  /** From 2 on. */
  readonly page?: number | undefined
}

/** Entries on a page. */
export const PER_PAGE = 30

/** The shortest text that the server searches for. */
export const MIN_SEARCH = 3

/** Reads the address. What it does not understand is left out. */
export function validateHistorySearch(search: Readonly<Record<string, unknown>>): HistorySearch {
  const { entry, type, actor, from, to, page } = search
  return defined({
    entry: matching(entry, /^[0-9a-f]{24}$/),
    in: matching(search.in, /^[a-z0-9-_.]{1,100}$/),
    // The server refuses types that it does not know, and the page shows why.
    type: matching(type, /^[a-zA-Z]{1,60}$/) as AuditChangeType | undefined,
    actor: actorKinds.find(({ value }) => value === actor)?.value,
    from: matching(from, DAY),
    to: matching(to, DAY),
    page: typeof page === 'number' && Number.isInteger(page) && page > 1 ? page : undefined
  })
}

const DAY = /^\d{4}-\d\d-\d\d$/

/** The query parameters of the API for a search. Days are those of the browser's zone. */
export function toQuery({ in: environment, from, to, page }: HistorySearch) {
  return defined({
    environment,
    startDate: from && startOf(from),
    endDate: to && endOf(to),
    page,
    perPage: PER_PAGE
  })
}

/** Whether a search or a text leaves entries out. */
export function isFiltered(search: HistorySearch, text: string): boolean {
  const { in: environment, type, actor, from, to } = search
  return [environment, type, actor, from, to].some((filter) => filter !== undefined) || text.length >= MIN_SEARCH
}

function startOf(day: string): string | undefined {
  return toIso(new Date(`${day}T00:00:00`))
}

function endOf(day: string): string | undefined {
  return toIso(new Date(`${day}T23:59:59.999`))
}

function toIso(date: Date): string | undefined {
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}

function matching(value: unknown, pattern: RegExp): string | undefined {
  return typeof value === 'string' && pattern.test(value) ? value : undefined
}

type Defined<T> = { readonly [Name in keyof T]?: Exclude<T[Name], undefined> }

function defined<T extends object>(members: T): Defined<T> {
  // The members that are left have a value.
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Defined<T>
}
