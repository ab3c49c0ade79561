import type { ResultsSearch } from './resultsSearch.ts'

const DAY_MS = 86_400_000
/** The longest range that the API computes. */
const MAX_DAYS = 400
/** The length of the range without a choice, for features that are older. */
const DEFAULT_DAYS = 30

/** A range of whole days in UTC. */
export interface Range {
  /** The first and the last day, as 2026-03-01. */
  readonly first: string
  readonly last: string
  /** The range for the API; its end is excluded. Absent if the days are no range. */
  readonly query?: { readonly startDate: string; readonly endDate: string }
  /** What is wrong with the days, and what would be right. */
  readonly problem?: { readonly field: 'from' | 'to'; readonly text: string }
}

/** The day of a moment in UTC. */
export const dayOf = (moment: number): string => new Date(moment).toISOString().slice(0, 10)

/** The first of a number of days that end today. */
const daysBack = (days: number, now: number): string => dayOf(now - (days - 1) * DAY_MS)

/** The range of the address; without one, since the feature was created, for 30 days at most. */
export function rangeOf({ from, to }: ResultsSearch, createdAt: string, now: number): Range {
  const first = from ?? dayOf(Math.max(Date.parse(createdAt), now - (DEFAULT_DAYS - 1) * DAY_MS))
  const last = to ?? dayOf(now)
  const [start, end] = [startOf(first), startOf(last)]
  if (start === undefined) return { first, last, problem: { field: 'from', text: 'choose a day' } }
  if (end === undefined) return { first, last, problem: { field: 'to', text: 'choose a day' } }
  if (start > now) return { first, last, problem: { field: 'from', text: 'choose a day that is not in the future' } }
  if (end < start) return { first, last, problem: { field: 'to', text: 'choose a day on or after the first day' } }
  if (end - start >= MAX_DAYS * DAY_MS) {
    return { first, last, problem: { field: 'from', text: `choose at most ${MAX_DAYS} days` } }
  }
  return { first, last, query: { startDate: toDate(start), endDate: toDate(end + DAY_MS) } }
}

const toDate = (moment: number): string => new Date(moment).toISOString()

/** The start of a day; `undefined` if the text is not a calendar day. */
function startOf(day: string): number | undefined {
  const moment = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN
  return Number.isNaN(moment) || dayOf(moment) !== day ? undefined : moment
}

/** A range that ends today. `value` names it in the form. */
interface Preset {
  readonly value: string
  readonly label: string
  readonly from: string
}

/** The ranges to offer: some lengths, and since the feature was created. */
export function presetsOf(createdAt: string, now: number): readonly Preset[] {
  const created = dayOf(Date.parse(createdAt))
  const lengths = [7, 14, 30].map((days) => ({
    value: String(days),
    label: `Last ${days} days`,
    from: daysBack(days, now)
  }))
  return created < daysBack(MAX_DAYS, now)
    ? lengths
    : [{ value: 'created', label: 'Since creation', from: created }, ...lengths]
}

/** The preset that a range is; `undefined` for other days. */
export function matchingPreset({ first, last }: Range, presets: readonly Preset[], now: number): Preset | undefined {
  return last === dayOf(now) ? presets.find(({ from }) => from === first) : undefined
}
