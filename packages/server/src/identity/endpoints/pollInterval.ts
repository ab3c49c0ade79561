import { SECOND } from '../../lib/time.ts'
import type { Store } from '../../storage/store.ts'
import { digestBearer } from '../oauth/digestBearer.ts'
import { OAuthHttpError } from '../oauth/oauthError.ts'

/**
 * The shortest time between two polls of a device, in seconds. Each poll that is too early adds as much (RFC 8628
 * §3.5).
 */
export const POLL_INTERVAL = 5

/** The maximum number of devices whose polls are timed: more than can be pending. */
const MAX_DEVICES = 5_000

interface Timing {
  readonly interval: number
  /** Epoch milliseconds. */
  readonly nextAt: number
}

/**
 * Creates the limit for polls with a device code. It throws 400 with `slow_down` for a poll that is too early. Each
 * server counts separately. Codes that do not exist are not counted, since they would displace those of devices.
 */
export function createPollLimit({ store, now }: PollLimitOptions): (deviceCode: string) => Promise<void> {
  const timings = new Map<string, Timing>()
  return async (deviceCode) => {
    const digest = digestBearer('DeviceCode', deviceCode)
    if (!(await store.collection('authorizations').get({ digest }))) return
    const before = timings.get(digest)
    const isEarly = before !== undefined && now() < before.nextAt
    const interval = (before?.interval ?? POLL_INTERVAL) + (isEarly ? POLL_INTERVAL : 0)
    // The least recently used device is the first.
    timings.delete(digest)
    timings.set(digest, { interval, nextAt: now() + interval * SECOND })
    const [oldest] = timings.keys()
    if (timings.size > MAX_DEVICES && oldest !== undefined) timings.delete(oldest)
    if (isEarly) throw new OAuthHttpError(400, 'slow_down', `poll every ${interval} seconds`)
  }
}

interface PollLimitOptions {
  readonly store: Store
  readonly now: () => number
}
