import type { Messages } from './messages.ts'

/** The display names of ids and keys, and the options of formatting. */
export interface WordContext {
  /** Epoch milliseconds. */
  readonly now: number
  /** A BCP 47 tag for numbers, dates, lists and countries. Default: `en`. */
  readonly locale?: string
  /** An IANA time zone. Default: `UTC`. */
  readonly timeZone?: string
  /** The catalogue. Default: English. */
  readonly messages?: Messages
  /** Names of variations by id and key. */
  readonly variations?: ReadonlyMap<string, string>
  /** Names of audiences by id and key. */
  readonly audiences?: ReadonlyMap<string, string>
  /** Names of custom properties by property key. */
  readonly customProperties?: ReadonlyMap<string, string>
  /** The project's setting: users whom a rollout does not include get no later target. */
  readonly disablePassthroughRollouts?: boolean
  /** The maximum number of values that a condition lists. Default: 5. */
  readonly maxValues?: number
}

/** Formats values for a sentence. */
export interface Formatter {
  readonly percent: (share: number) => string
  readonly date: (time: number) => string
  readonly or: (items: readonly string[]) => string
  readonly and: (items: readonly string[]) => string
  readonly value: (value: unknown) => string
  readonly country: (code: unknown) => string
}

/** Creates the formatter of a context. @throws {RangeError} for an invalid locale or time zone. */
export function createFormatter({ locale = 'en', timeZone = 'UTC' }: WordContext): Formatter {
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 })
  const numbers = new Intl.NumberFormat(locale, { maximumFractionDigits: 20 })
  const dates = new Intl.DateTimeFormat(locale, {
    timeZone,
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short'
  })
  const or = new Intl.ListFormat(locale, { type: 'disjunction' })
  const and = new Intl.ListFormat(locale, { type: 'conjunction' })
  const regions = new Intl.DisplayNames(locale, { type: 'region' })
  const value = (one: unknown) => (typeof one === 'number' ? numbers.format(one) : quote(one))
  return {
    percent: (share) => percent.format(share),
    date: (time) => (Math.abs(time) <= MAX_TIME ? dates.format(time) : String(time)),
    or: (items) => or.format(items),
    and: (items) => and.format(items),
    value,
    country: (code) =>
      typeof code === 'string' && /^[A-Z]{2}$/.test(code) ? `${regions.of(code)} (${code})` : value(code)
  }
}

/** The last time that a `Date` can represent. */
const MAX_TIME = 8.64e15

const MAX_LENGTH = 100

/**
 * Formats a name or value of users' data. Texts that could be read as part of a sentence are put into quotation marks;
 * control and direction characters become visible.
 */
export function quote(value: unknown): string {
  const raw = typeof value === 'string' || typeof value === 'boolean' ? String(value) : toJson(value)
  const safe = sanitizeName(raw)
  const characters = [...safe]
  const short = characters.length > MAX_LENGTH ? `${characters.slice(0, MAX_LENGTH).join('')}…` : safe
  return /^[\p{L}\p{M}\p{N}@._+/:-]+$/u.test(short) ? short : `“${short}”`
}

/** Returns a name for a sentence: control and direction characters, which could reorder the sentence, become visible. */
export function sanitizeName(name: string): string {
  return name.replace(/[\p{Cc}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/gu, '\uFFFD')
}

/** Returns JSON, or the type of what has none. */
export function toJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? typeof value
  } catch {
    return typeof value
  }
}
