import type { IncomingHttpHeaders } from 'node:http'
import { DAY } from '../time.ts'

/** How long an answer asks us to wait, in milliseconds: `Retry-After` in seconds, or as a date by the clock of who answered (RFC 9110 §10.2.3). */
export function parseRetryAfter(headers: IncomingHttpHeaders, now: () => number): number | undefined {
  const text = headers['retry-after']?.trim()
  if (!text) return undefined
  if (/^\d{1,9}$/.test(text)) return Math.min(Number(text) * 1000, MAX_RETRY_AFTER_MS)
  const until = /^\w{3,9}, /.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(until)) return undefined
  const theirNow = Date.parse(headers.date ?? '')
  return Math.min(Math.max(until - (Number.isNaN(theirNow) ? now() : theirNow), 0), MAX_RETRY_AFTER_MS)
}

/** A day: nobody can have us wait for longer. */
const MAX_RETRY_AFTER_MS = DAY
