import { backoff, every } from '@burgee/kit'
import { type UpstreamClient, UpstreamError } from '../../lib/outbound/upstreamClient.ts'
import { reasonOf } from '../../lib/reasonOf.ts'
import { MINUTE, SECOND } from '../../lib/time.ts'
import type { EventQueue, Segment } from '../../storage/events/queue/eventQueue.ts'

/** Forwards queued events. */
export interface EventForwarder {
  /** Stops after another attempt to forward what is queued. */
  readonly close: () => Promise<void>
}

interface Dependencies {
  readonly queue: EventQueue
  readonly client: UpstreamClient
  /** Returns a server key of an environment that the upstream accepts, if there is one. */
  readonly findKey: (environment: string) => string | undefined
  readonly random: () => number
  /** Receives the number of entries that the upstream has. */
  readonly onForwarded: (entries: number) => void
  readonly onNotice: (message: string) => void
}

/**
 * Forwards the events of each environment, the oldest first. A segment is removed once the upstream has all of it, so a
 * crash repeats one segment at most, and the upstream recognizes repeated entries by their payload ids.
 */
export function forwardEvents(dependencies: Dependencies): EventForwarder {
  const { queue, findKey, random, onForwarded, onNotice } = dependencies
  const closed = new AbortController()
  const pauses = new Map<string, Pause>()

  const forwardAll = async (environment: string): Promise<void> => {
    const key = findKey(environment)
    const pause = pauses.get(environment) ?? createPause(random)
    pauses.set(environment, pause)
    if (key === undefined || pause.until > performance.now()) return
    try {
      for (let segment = await queue.next(environment); segment; segment = await queue.next(environment)) {
        const count = await forwardSegment(segment, key, dependencies, closed.signal)
        if (count === undefined) {
          const path = await queue.setAside(segment)
          onNotice(`the upstream refuses queued events as invalid; they are kept in ${path}`)
        } else {
          await queue.remove(segment)
          onForwarded(count)
        }
        pause.delays.reset()
        pause.isReported = false
      }
    } catch (error) {
      if (closed.signal.aborted) return
      const retryAfterMs = error instanceof UpstreamError ? error.retryAfterMs : 0
      pause.until = performance.now() + retryAfterMs + pause.delays.next()
      if (!pause.isReported) onNotice(`events cannot be forwarded; they stay in the queue: ${reasonOf(error)}`)
      pause.isReported = true
    }
  }
  const work = () => Promise.all(queue.environments().map(forwardAll))
  const job = every(FORWARD_MS, work, {
    onError: (error) => onNotice(`events cannot be forwarded: ${reasonOf(error)}`)
  })
  return {
    close: async () => {
      const deadline = setTimeout(() => closed.abort(), CLOSE_MS)
      await job.run()
      await job.stop()
      clearTimeout(deadline)
    }
  }
}

/** When an environment is tried again. */
interface Pause {
  readonly delays: ReturnType<typeof backoff>
  /** On the clock of `performance.now()`. */
  until: number
  isReported: boolean
}

function createPause(random: () => number): Pause {
  return { delays: backoff({ initialMs: SECOND, maxMs: MINUTE, random }), until: 0, isReported: false }
}

/** Sends a segment. Returns the number of entries, or undefined if the upstream refuses them as invalid. */
async function forwardSegment(
  segment: Segment,
  key: string,
  { client }: Dependencies,
  signal: AbortSignal
): Promise<number | undefined> {
  const lines = await segment.lines()
  const entries = lines.map((line) => withoutEnvironment(line))
  if (entries.length === 0) return 0
  try {
    await client.request({
      path: '/v1/edge/events',
      method: 'POST',
      headers: { authorization: key },
      body: JSON.stringify({ entries }),
      expects: [201],
      signal
    })
    return entries.length
  } catch (error) {
    if (error instanceof UpstreamError && INVALID.includes(error.status)) return undefined
    throw error
  }
}

/** The statuses that a repetition would have too. */
const INVALID: readonly (number | undefined)[] = [400, 413, 415, 422]

/** The key names the environment. */
function withoutEnvironment(line: string): object {
  const { environment: _environment, ...entry } = JSON.parse(line)
  return entry
}

/** How often the queue is forwarded. */
const FORWARD_MS = SECOND

/** How long the last attempt may take. */
const CLOSE_MS = 3 * SECOND
