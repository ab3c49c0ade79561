interface ParseOptions {
  /**
   * The `Date` header of the same response. A date in `Retry-After` is relative to it, so the local clock may be wrong.
   */
  readonly date?: string | null | undefined
  /** The local time in epoch milliseconds, for responses without a `Date` header. */
  readonly now: number
  /** The longest wait that is honored, in milliseconds. */
  readonly maxMs: number
}

/**
 * Reads a `Retry-After` header: seconds, or an HTTP date (RFC 9110 §10.2.3). Returns milliseconds, 0 when the moment
 * has passed, or `undefined` when the header is missing or malformed.
 */
export function parseRetryAfter(
  value: string | null | undefined,
  { date, now, maxMs }: ParseOptions
): number | undefined {
  const text = value?.trim() ?? ''
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, maxMs)
  const until = parseHttpDate(text)
  if (until === undefined) return undefined
  return Math.min(Math.max(until - (parseHttpDate(date ?? '') ?? now), 0), maxMs)
}

/** Parses only the forms of RFC 9110, which start with the day of the week; `Date.parse` accepts many others. */
function parseHttpDate(text: string): number | undefined {
  const time = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(time) ? undefined : time
}

/**
 * The headers that ask a client to wait: `Retry-After` in seconds, and `Retry-Later` as a date-time for clients of
 * OFREP drafts.
 */
interface RetryAfterHeaders {
  readonly 'retry-after': string
  readonly 'retry-later': string
}

/** Returns the headers for a wait, which is rounded up to whole seconds and at least one. */
export function retryAfterHeaders(waitMs: number, now: number): RetryAfterHeaders {
  const seconds = toRetrySeconds(waitMs)
  return { 'retry-after': String(seconds), 'retry-later': new Date(now + seconds * 1000).toISOString() }
}

/** Returns a wait in whole seconds, rounded up and at least one. */
export function toRetrySeconds(waitMs: number): number {
  return Math.max(1, Math.ceil(waitMs / 1000))
}
