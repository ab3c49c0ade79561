import { HOUR } from '../../lib/time.ts'

/** How fast streams go about things. */
export interface StreamTimings {
  /** From one sign of life to the next, in milliseconds; less than proxies wait. */
  readonly keepAliveMs: number
  /** How long a reader may take for what it was sent, in milliseconds, before it is dropped. */
  readonly stallTimeoutMs: number
  /** The least that a stream lasts, in milliseconds, before its reader is sent to connect anew. It can be up to twice that. */
  readonly lifetimeMs: number
  /** The least that a reader waits before it comes back, in milliseconds. It can be up to five times that. */
  readonly retryMs: number
  /** How many messages go out as fast as they can. */
  readonly burst: number
  /** How many go out in a second after those, so that not everybody fetches at once. */
  readonly perSecond: number
}

/** The pace of a server. Streams last long, because a cut leaves OpenFeature's web client in the state STALE. */
export const streamTimings: StreamTimings = {
  keepAliveMs: 15_000,
  stallTimeoutMs: 30_000,
  lifetimeMs: 6 * HOUR,
  retryMs: 1_000,
  burst: 1_000,
  perSecond: 4_000
}
