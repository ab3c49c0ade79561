/** The maximum pause. A longer one indicates a wrong server clock. */
const MAX_PAUSE_MS = 60 * 60 * 1000

/**
 * Reads `Retry-After`: whole seconds, or a date (RFC 9110 §10.2.3). Returns undefined if there is no pause. A date is
 * interpreted relative to the response's `Date`, so that clock skew does not matter.
 */
export function readRetryAfter(headers: Headers, now: number): number | undefined {
  const text = headers.get('retry-after')
  if (text === null) return undefined
  if (/^\s*\d+\s*$/.test(text)) return toPause(Number(text) * 1000)
  const respondedAt = Date.parse(headers.get('date') ?? '')
  return toPause(Date.parse(text) - (Number.isNaN(respondedAt) ? now : respondedAt))
}

function toPause(ms: number): number | undefined {
  return ms > 0 ? Math.min(ms, MAX_PAUSE_MS) : undefined
}
