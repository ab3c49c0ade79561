import { formatValue } from '@burgee/kit/text'

/** The maximum delay, three weeks: Node's timers overflow at 2³¹ ms, and jitter lengthens some delays. */
export const MAX_TIMER_MS = 21 * 24 * 60 * 60 * 1000

/** The range of a numeric option; larger numbers are clamped to the maximum. */
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

/** Options that contain options. */
const groups: readonly string[] = ['retry', 'events']

/**
 * Returns the options with durations clamped to the longest timer, three weeks.
 *
 * @throws {RangeError} if a number is below its range. The message names the option and the value.
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
