import { HOUR } from '../../lib/time.ts'

/** The timings of streams. */
export interface StreamTimings {
  /** Keep-alive interval in milliseconds; shorter than the timeouts of common proxies. */
  readonly keepAliveMs: number
  /** How long a reader may lag behind, in milliseconds, before its connection is closed. */
  readonly stallTimeoutMs: number
  /** The minimum lifetime of a stream in milliseconds; the actual lifetime is up to twice as long. */
  readonly lifetimeMs: number
  /** The minimum reconnection delay in milliseconds; the actual delay is up to five times as long. */
  readonly retryMs: number
  /** How often the clock is checked for streams whose key has expired, in milliseconds. */
  readonly expiryCheckMs: number
  /** The number of messages that are sent without delay. */
  readonly burst: number
  /** The number of messages per second after that, so that clients do not all download at once. */
  readonly perSecond: number
}

/** The default timings. Streams live long, because a disconnect puts OpenFeature's web client into the state STALE. */
export const streamTimings: StreamTimings = {
  keepAliveMs: 15_000,
  stallTimeoutMs: 30_000,
  lifetimeMs: 6 * HOUR,
  retryMs: 1_000,
  expiryCheckMs: 250,
  burst: 1_000,
  perSecond: 4_000
}

/** The number of keep-alive rounds in which a reader may lag behind. */
export function stalledRounds({ stallTimeoutMs, keepAliveMs }: StreamTimings): number {
  return Math.ceil(stallTimeoutMs / keepAliveMs)
}

/** A reconnection delay in milliseconds: random, so that clients do not all reconnect at once. */
export function reconnectionDelay({ retryMs }: StreamTimings, random: () => number): number {
  return Math.round(retryMs * (1 + 4 * random()))
}

/** The `Retry-After` for clients that are refused for lack of capacity, in seconds. */
export const RETRY_AFTER_FULL = 30
