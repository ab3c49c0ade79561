import type { AccessLogEntry } from '@burgee/contract/schemas'

/** The kind of an entry of the access log. */
export type AccessKind = AccessLogEntry['kind']
/** How a request ended. */
export type AccessOutcome = AccessLogEntry['outcome']

/** The words for the kinds of entries. */
export const kindTitles: Readonly<Record<AccessKind, string>> = {
  signIn: 'Sign-in',
  signOut: 'Sign-out',
  token: 'Token issued',
  tokenUse: 'Token used',
  sdkKey: 'SDK key',
  secretShown: 'Secret shown',
  export: 'Export',
  auditRead: 'Log read'
}

export const outcomeTitles: Readonly<Record<AccessOutcome, string>> = {
  success: 'done',
  refused: 'refused',
  failed: 'failed'
}

/** Which entries the page shows, in the address. */
export interface AccessSearch {
  readonly kind?: AccessKind | undefined
  readonly outcome?: AccessOutcome | undefined
  /** Days in the zone of the browser, as 2026-03-01. */
  readonly from?: string | undefined
  readonly to?: string | undefined
  /** From 2 on. */
  readonly page?: number | undefined
}

/** Entries on a page. */
export const ACCESS_PER_PAGE = 50

/** The days that are shown without a choice: a list reads the files of all days in its range. */
const DEFAULT_DAYS = 7

const DAY = /^\d{4}-\d\d-\d\d$/

/** Reads the address. What it does not understand is left out. */
export function validateAccessSearch(search: Readonly<Record<string, unknown>>): AccessSearch {
  const { kind, outcome, from, to, page } = search
  const isDay = (value: unknown): value is string =>
    typeof value === 'string' && DAY.test(value) && !Number.isNaN(Date.parse(value))
  return {
    ...(isNameOf(kindTitles, kind) ? { kind } : {}),
    ...(isNameOf(outcomeTitles, outcome) ? { outcome } : {}),
    ...(isDay(from) ? { from } : {}),
    ...(isDay(to) ? { to } : {}),
    ...(typeof page === 'number' && Number.isInteger(page) && page > 1 ? { page } : {})
  }
}

/** The filters of the API for a search and a typed address. */
export function toAccessQuery({ kind, outcome, from, to }: AccessSearch, address: string, now: number) {
  return {
    ...(kind ? { kind } : {}),
    ...(outcome ? { outcome } : {}),
    ...(address === '' ? {} : { address }),
    startDate: (from ? new Date(`${from}T00:00:00`) : startOfDay(now - DEFAULT_DAYS * 86_400_000)).toISOString(),
    ...(to ? { endDate: new Date(`${to}T23:59:59.999`).toISOString() } : {})
  }
}

/** So that the request stays the same while the page is open. */
function startOfDay(moment: number): Date {
  const day = new Date(moment)
  day.setHours(0, 0, 0, 0)
  return day
}

function isNameOf<Name extends string>(titles: Readonly<Record<Name, string>>, value: unknown): value is Name {
  return typeof value === 'string' && Object.hasOwn(titles, value)
}
