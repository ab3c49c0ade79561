/** The longest pause that a server can ask for; one that asks for more has a wrong clock. */
const MAX_PAUSE_MS = 60 * 60 * 1000

/** Reads `Retry-After`: whole seconds, or a date (RFC 9110 §10.2.3). Undefined where it asks for no pause. */
export function readRetryAfter(text: string | null, now: number): number | undefined {
  if (text === null) return undefined
  const pause = /^\s*\d+\s*$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  return pause > 0 ? Math.min(pause, MAX_PAUSE_MS) : undefined
}
