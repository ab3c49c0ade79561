import { setTimeout as sleep } from 'node:timers/promises'
import { backoff, every, serialize } from '@burgee/kit'
import { type UpstreamClient, UpstreamError } from '../../lib/outbound/upstreamClient.ts'
import { SECOND } from '../../lib/time.ts'
import { parseConfigVersion } from '../configs/configVersions.ts'
import { type CopyDependencies, type CopyState, createUpstreamCopy } from './upstreamCopy.ts'

/** A copy of the config of an environment, which follows the upstream with one of its server keys. */
export interface UpstreamConfig extends CopyState {
  /**
   * Resolves when the copy has the version with this time (epoch milliseconds), or there is none. Calls during a
   * request share the next one.
   * @throws {UpstreamError}
   */
  readonly refresh: (lastModified?: number) => Promise<void>
  readonly close: () => void
}

interface Dependencies extends CopyDependencies {
  readonly client: UpstreamClient
  readonly random: () => number
}

/** Follows the config of an environment: a stream announces changes, and periodic requests cover lost messages. */
export function followUpstreamConfig(dependencies: Dependencies): UpstreamConfig {
  const { client, key, random } = dependencies
  const closed = new AbortController()
  const { signal } = closed
  const copy = createUpstreamCopy(dependencies, signal)
  const inTurn = serialize()
  /** The latest version that anyone has named. */
  let named = 0
  /** The next request, which has not started. */
  let next: Promise<void> | undefined

  const refresh = (lastModified = 0): Promise<void> => {
    named = Math.max(named, lastModified)
    next ??= inTurn(() => {
      next = undefined
      return copy.update(named)
    })
    return next
  }
  const followStream = async (): Promise<void> => {
    await refresh()
    await client.readLines({
      path: `/event-stream?sdkKey=${encodeURIComponent(key)}`,
      signal,
      // Changes before the stream was open were not announced.
      onOpen: () => void refresh().catch(() => {}),
      onLine: (line) => {
        const time = announcedTime(line)
        if (time > copy.lastModified() * SECOND) void refresh(time).catch(() => {})
      }
    })
  }
  const run = async (): Promise<void> => {
    const delays = backoff({ initialMs: FIRST_RETRY_MS, maxMs: MAX_RETRY_MS, random })
    while (!signal.aborted) {
      const startedAt = performance.now()
      const retryAfterMs = await followStream().then(
        () => 0,
        (error: unknown) => (error instanceof UpstreamError ? error.retryAfterMs : 0)
      )
      if (performance.now() - startedAt > HEALTHY_MS) delays.reset()
      await sleep(retryAfterMs + delays.next(), undefined, { signal, ref: false }).catch(() => {})
    }
  }
  const safety = every(SAFETY_POLL_MS, () => refresh().catch(() => {}), { onError: () => {} })
  void run()

  return {
    ...copy.state,
    refresh,
    close: () => {
      closed.abort()
      void safety.stop()
    }
  }
}

/** Returns the time of the version that a line of the stream announces, in epoch milliseconds; 0 for other lines. */
function announcedTime(line: string): number {
  return (line.startsWith(ID) && parseConfigVersion(line.slice(ID.length))?.lastModified) || 0
}

/** The start of the line with the id of a message. */
const ID = 'id: '

const FIRST_RETRY_MS = 250

/** While the stream is down, each attempt to open it also requests the config. */
const MAX_RETRY_MS = 5 * SECOND

const HEALTHY_MS = 60 * SECOND

const SAFETY_POLL_MS = 60 * SECOND
