/** The longest pause that is kept; a server that names a longer one has a wrong clock. */
const MAX_PAUSE_MS = 60 * 60 * 1000

/**
 * Reads `Retry-After`: whole seconds, or a date (RFC 9110 §10.2.3). Returns undefined for no pause. A date is read
 * relative to the answer's `Date`, so that the clocks of client and server may differ.
 */
export function readRetryAfter(headers: Headers, now: number): number | undefined {
  const text = headers.get('retry-after')
  if (text === null) return undefined
  if (/^\s*\d+\s*$/.test(text)) return toPause(Number(text) * 1000)
  const answeredAt = Date.parse(headers.get('date') ?? '')
  return toPause(Date.parse(text) - (Number.isNaN(answeredAt) ? now : answeredAt))
}

function toPause(ms: number): number | undefined {
  return ms > 0 ? Math.min(ms, MAX_PAUSE_MS) : undefined
}
