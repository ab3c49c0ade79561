import { type HttpError, rateLimited } from '../errors.ts'
import { SECOND } from '../time.ts'

/** Work to be done for a caller. */
export interface Job<T> {
  /** Identifies the caller: a person, a client or a network. */
  readonly caller: string
  /** Whether any request still waits for the job. Once `false`, it must stay `false`. Default: always. */
  readonly isWanted?: () => boolean
  readonly work: () => Promise<T>
}

/**
 * Runs a job when its turn comes, and rejects if it is no longer wanted by then.
 * @throws {HttpError} 429 when the caller's share of the queue is full.
 */
export type FairQueue = <T>(job: Job<T>) => Promise<T>

interface FairQueueOptions {
  /** What is queued, in messages: `requests for metric results`. */
  readonly subject: string
  readonly maxRunning: number
  readonly maxQueuedPerCaller: number
  readonly maxQueued: number
  /** After how many milliseconds a refused caller can try again. */
  readonly retryAfterMs: number
}

/**
 * Creates a queue that runs one job per caller at a time. Callers take turns, so many jobs of one do not delay the
 * others. When the queue is full, a caller with fewer jobs than another one replaces the newest job of that caller.
 */
export function createFairQueue(options: FairQueueOptions): FairQueue {
  const { subject, maxRunning, maxQueuedPerCaller, maxQueued, retryAfterMs } = options
  /** The callers with a running job. */
  const running = new Set<string>()
  /** The queued jobs of each caller; the caller whose turn is next comes first. */
  const queued = new Map<string, readonly QueuedJob[]>()

  const tooMany = (situation: string): HttpError =>
    rateLimited(`${situation}; retry in ${retryAfterMs / SECOND} s`, retryAfterMs)

  const setQueue = (caller: string, jobs: readonly QueuedJob[]): void => {
    if (jobs.length === 0) queued.delete(caller)
    else queued.set(caller, jobs)
  }

  const dropUnwanted = (): void => {
    for (const [caller, jobs] of queued) {
      const wanted = jobs.filter(({ isWanted, drop }) => {
        if (isWanted()) return true
        drop(tooMany(`the client disconnected, and other ${subject} are queued`))
        return false
      })
      setQueue(caller, wanted)
    }
  }

  const makeRoom = (caller: string): void => {
    const own = queued.get(caller)?.length ?? 0
    if (own >= maxQueuedPerCaller) throw tooMany(`${own} of your ${subject} are queued (limit: ${maxQueuedPerCaller})`)
    const all = [...queued.values()].reduce((sum, { length }) => sum + length, 0)
    if (all < maxQueued) return
    const full = tooMany(`${all} ${subject} are queued (limit: ${maxQueued})`)
    const [largest, jobs] = [...queued].reduce((one, other) => (other[1].length > one[1].length ? other : one))
    // With equal shares, a replacement would only move the refusal to another caller.
    if (jobs.length <= own + 1) throw full
    setQueue(largest, jobs.slice(0, -1))
    jobs.at(-1)?.drop(full)
  }

  const startNext = (): void => {
    dropUnwanted()
    for (const [caller, [first, ...others]] of [...queued]) {
      if (running.size >= maxRunning) return
      if (running.has(caller) || !first) continue
      // Moves the caller to the end: its other jobs wait until every other caller has had a turn.
      queued.delete(caller)
      setQueue(caller, others)
      running.add(caller)
      first.start()
    }
  }

  const waitForTurn = (caller: string, isWanted: () => boolean): Promise<void> => {
    dropUnwanted()
    makeRoom(caller)
    return new Promise((start, drop) => {
      queued.set(caller, [...(queued.get(caller) ?? []), { isWanted, start, drop }])
    })
  }

  const run = async <T>({ caller, work }: Job<T>, turn: Promise<void> | undefined): Promise<T> => {
    await turn
    try {
      return await work()
    } finally {
      running.delete(caller)
      startNext()
    }
  }

  // Not an async function, so that a full queue throws synchronously.
  return (job) => {
    const { caller, isWanted = () => true } = job
    if (running.has(caller) || running.size >= maxRunning) return run(job, waitForTurn(caller, isWanted))
    running.add(caller)
    return run(job, undefined)
  }
}

interface QueuedJob {
  readonly isWanted: () => boolean
  readonly start: () => void
  readonly drop: (error: HttpError) => void
}
