/** The longest wait, three weeks: the timers of Node overflow at 2³¹ ms, and some waits are made a little longer at random. */
export const MAX_TIMER_MS = 21 * 24 * 60 * 60 * 1000

/** What a number among the options may be; one above `most` counts as that. */
interface Range {
  readonly min: number
  readonly max: number
}

const interval: Range = { min: 1, max: MAX_TIMER_MS }
const delay: Range = { min: 0, max: MAX_TIMER_MS }
const amount: Range = { min: 1, max: Number.POSITIVE_INFINITY }
const bound: Range = { min: 0, max: Number.POSITIVE_INFINITY }

const ranges: Readonly<Record<string, Range>> = {
  initTimeoutMs: delay,
  staleAfterMs: delay,
  errorAfterMs: delay,
  healthyAfterMs: delay,
  closeTimeoutMs: delay,
  maxAge: bound,
  pollIntervalMs: interval,
  safetyPollMs: interval,
  silenceMs: interval,
  requestTimeoutMs: interval,
  flushIntervalMs: interval,
  initialMs: interval,
  maxMs: interval,
  refusedMs: interval,
  refusedMaxMs: interval,
  maxBytes: amount,
  maxQueuedEvents: bound,
  maxQueuedBytes: bound
}

/** The members of options that are options themselves. */
const groups: readonly string[] = ['retry', 'events']

/**
 * Options whose numbers are in their ranges: durations that are longer than timers can keep count as three weeks.
 *
 * @throws {RangeError} when a number is out of its range. It names the option and what was given.
 */
export function normalizeNumbers<T extends object>(options: T, path = ''): T {
  const members = Object.entries(options).map(([name, value]): [string, unknown] => {
    if (groups.includes(name) && typeof value === 'object' && value) return [name, normalizeNumbers(value, `${name}.`)]
    const range = Object.hasOwn(ranges, name) ? ranges[name] : undefined
    if (!range || value === undefined) return [name, value]
    if (typeof value === 'number' && value >= range.min) return [name, Math.min(value, range.max)]
    throw new RangeError(`${path}${name} should be a number of at least ${range.min}, got ${formatValue(value)}`)
  })
  return Object.fromEntries(members) as T
}

function formatValue(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value)
}
