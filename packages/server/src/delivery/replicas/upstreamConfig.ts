import { setTimeout as sleep } from 'node:timers/promises'
import { type ReceivedEdgeConfig, ReceivedEdgeConfig as schema } from '@burgee/contract/schemas'
import { backoff, every } from '@burgee/kit'
import { type UpstreamClient, UpstreamError } from '../../lib/outbound/upstreamClient.ts'
import { reasonOf } from '../../lib/reasonOf.ts'
import { SECOND } from '../../lib/time.ts'
import { isSameVersion, parseConfigVersion } from '../configs/configVersions.ts'

/** A copy of the config of an environment, which follows the upstream with one of its server keys. */
export interface UpstreamConfig {
  /** Id of the environment; undefined before the first copy, and while the upstream refuses the key. */
  readonly environment: () => string | undefined
  /** When the copy was last known to be current, in epoch milliseconds; undefined without a copy. */
  readonly checkedAt: () => number | undefined
  /** Why the last request failed; undefined if it succeeded. */
  readonly failure: () => UpstreamError | undefined
  /** Whether the last response of the upstream refused the key; the response may be from an earlier run. */
  readonly isRefused: () => boolean
  /**
   * Resolves when the copy has the version with this time (epoch milliseconds), or there is none. Calls during a
   * request share the next one.
   * @throws {UpstreamError}
   */
  readonly refresh: (lastModified?: number) => Promise<void>
  readonly close: () => void
}

/** Receives the copies. */
export interface UpstreamConfigListener {
  /** Uses a new copy. @throws if it is malformed. */
  readonly onCopy: (copy: ReceivedEdgeConfig) => void
  /** The copy is still current. */
  readonly onChecked: () => void
  /** The upstream refuses the key now, so the copy must no longer be used. */
  readonly onRefused: () => void
  /** Requests fail, for the first time since one succeeded, or they succeed again. */
  readonly onState: (failure: UpstreamError | undefined) => void
}

interface Dependencies {
  readonly client: UpstreamClient
  /** A server key of the environment. */
  readonly key: string
  readonly listener: UpstreamConfigListener
  readonly now: () => number
  readonly random: () => number
  /** The copy of an earlier run. */
  readonly cached: { readonly copy: ReceivedEdgeConfig; readonly checkedAt: number } | undefined
  /** Whether the upstream refused the key in an earlier run. */
  readonly wasRefused: boolean
}

/** Follows the config of an environment: a stream announces changes, and periodic requests cover lost messages. */
export function followUpstreamConfig({
  client,
  key,
  listener,
  now,
  random,
  cached,
  wasRefused
}: Dependencies): UpstreamConfig {
  const closed = new AbortController()
  const { signal } = closed
  let copy = cached?.copy
  let checkedAt = cached?.checkedAt
  let etag: string | undefined
  let failure: UpstreamError | undefined
  let isRefused = wasRefused
  let hasSucceeded: boolean | undefined
  /** The latest version that anyone has named. */
  let named = 0
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined

  const download = async (): Promise<void> => {
    // Named, so that a server that is behind others reads the version first.
    const path = `/config/v2/edge/${encodeURIComponent(key)}.json?sseLastModified=${named}`
    const headers = etag === undefined ? {} : { 'if-none-match': etag }
    const response = await client.request({ path, headers, expects: [200, 304], signal })
    if (response.status === 200) {
      const received = parseCopy(response.text)
      const isOlder = copy?.environment._id === received.environment._id && received.lastModified < copy.lastModified
      if (!isOlder) {
        if (!isSameVersion(copy, received)) listener.onCopy(received)
        copy = received
        etag = response.etag ?? undefined
      }
    }
    checkedAt = now()
    isRefused = false
    listener.onChecked()
  }
  const attempt = async (): Promise<void> => {
    try {
      await download()
      failure = undefined
      if (hasSucceeded !== true) listener.onState(undefined)
      hasSucceeded = true
    } catch (error) {
      if (signal.aborted) return
      failure = error instanceof UpstreamError ? error : new UpstreamError(reasonOf(error))
      if (failure.isRefusal && !isRefused) {
        isRefused = true
        copy = undefined
        etag = undefined
        checkedAt = undefined
        listener.onRefused()
      }
      if (hasSucceeded !== false) listener.onState(failure)
      hasSucceeded = false
      throw failure
    }
  }
  const refresh = (lastModified = 0): Promise<void> => {
    named = Math.max(named, lastModified)
    if (!running) {
      running = attempt().finally(() => {
        running = undefined
      })
      return running
    }
    next ??= running
      .catch(() => {})
      .then(() => {
        next = undefined
        return refresh()
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
        if (time > (copy?.lastModified ?? 0) * SECOND) void refresh(time).catch(() => {})
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
    environment: () => copy?.environment._id,
    checkedAt: () => checkedAt,
    failure: () => failure,
    isRefused: () => isRefused,
    refresh,
    close: () => {
      closed.abort()
      void safety.stop()
    }
  }
}

/** Parses a copy. @throws {UpstreamError} if it is not one. */
function parseCopy(text: string): ReceivedEdgeConfig {
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch (error) {
    throw new UpstreamError(`the config of the upstream is not JSON: ${reasonOf(error)}`)
  }
  const { success, data, error } = schema.safeParse(document)
  if (success) return data
  throw new UpstreamError(`the config of the upstream is malformed: ${error.issues[0]?.message}`)
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
