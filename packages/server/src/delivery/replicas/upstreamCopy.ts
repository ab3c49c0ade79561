import { type ReceivedEdgeConfig, ReceivedEdgeConfig as schema } from '@burgee/contract/schemas'
import { type UpstreamClient, UpstreamError } from '../../lib/outbound/upstreamClient.ts'
import { reasonOf } from '../../lib/reasonOf.ts'
import { isSameVersion } from '../configs/configVersions.ts'

/** The state of a copy of the config of an environment. */
export interface CopyState {
  /** Id of the environment; undefined before the first copy, and while the upstream refuses the key. */
  readonly environment: () => string | undefined
  /** When the copy was last known to be current, in epoch milliseconds; undefined without a copy. */
  readonly checkedAt: () => number | undefined
  /** Why the last request failed; undefined if it succeeded. */
  readonly failure: () => UpstreamError | undefined
  /** Whether the last response of the upstream refused the key; the response may be from an earlier run. */
  readonly isRefused: () => boolean
}

/** Receives the copies. */
interface CopyListener {
  /** Uses a new copy. @throws if it is malformed. */
  readonly onCopy: (copy: ReceivedEdgeConfig) => void
  /** The copy is still current. */
  readonly onChecked: () => void
  /** The upstream refuses the key now, so the copy must no longer be used. */
  readonly onRefused: () => void
  /** Requests fail, for the first time since one succeeded, or they succeed again. */
  readonly onState: (failure: UpstreamError | undefined) => void
}

/** What creates a copy, and receives its changes. */
export interface CopyDependencies {
  readonly client: Pick<UpstreamClient, 'request'>
  /** A server key of the environment. */
  readonly key: string
  readonly listener: CopyListener
  readonly now: () => number
  /** The copy of an earlier run. */
  readonly cached: { readonly copy: ReceivedEdgeConfig; readonly checkedAt: number } | undefined
  /** Whether the upstream refused the key in an earlier run. */
  readonly wasRefused: boolean
}

/** A copy of the config of an environment. */
interface UpstreamCopy {
  readonly state: CopyState
  /** The time of the version of the copy, in epoch milliseconds; 0 without a copy. */
  readonly lastModified: () => number
  /**
   * Requests the config once, in a version that is at least as new as that of `lastModified` (epoch milliseconds).
   * Calls must not overlap.
   * @throws {UpstreamError}
   */
  readonly update: (lastModified: number) => Promise<void>
}

/** Creates a copy. Requests end with `signal`, and then have no effect. */
export function createUpstreamCopy(
  { client, key, listener, now, cached, wasRefused }: CopyDependencies,
  signal: AbortSignal
): UpstreamCopy {
  let copy = cached?.copy
  let checkedAt = cached?.checkedAt
  let etag: string | undefined
  let failure: UpstreamError | undefined
  let isRefused = wasRefused
  let hasSucceeded: boolean | undefined

  const download = async (lastModified: number): Promise<void> => {
    // Names the version, so that a server that does not have it yet reads it first.
    const path = `/config/v2/edge/${encodeURIComponent(key)}.json?sseLastModified=${lastModified}`
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
  const update = async (lastModified: number): Promise<void> => {
    try {
      await download(lastModified)
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
  return {
    state: {
      environment: () => copy?.environment._id,
      checkedAt: () => checkedAt,
      failure: () => failure,
      isRefused: () => isRefused
    },
    lastModified: () => copy?.lastModified ?? 0,
    update
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
