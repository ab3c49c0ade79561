import { type HttpError, rateLimited } from '../../lib/errors.ts'
import { SECOND } from '../../lib/time.ts'

/** Work to be done for a caller. */
export interface Job<T> {
  /** Identifies the caller. */
  readonly caller: string
  /** Whether any request still waits for the job. Once `false`, it must stay `false`. */
  readonly isWanted: () => boolean
  readonly work: () => Promise<T>
}

/**
 * Runs a job when its turn comes, and rejects if it is no longer wanted by then.
 * @throws {HttpError} 429 when the queue is full.
 */
export type FairQueue = <T>(job: Job<T>) => Promise<T>

/**
 * Creates a queue that runs one job per caller at a time. Callers take turns, so many jobs of one do not delay the
 * others.
 */
export function createFairQueue(): FairQueue {
  /** The callers with a running job. */
  const running = new Set<string>()
  /** The queued jobs of each caller; the caller whose turn is next comes first. */
  const queued = new Map<string, readonly QueuedJob[]>()

  const setQueue = (caller: string, jobs: readonly QueuedJob[]): void => {
    if (jobs.length === 0) queued.delete(caller)
    else queued.set(caller, jobs)
  }

  const dropUnwanted = (): void => {
    for (const [caller, jobs] of queued) {
      const wanted = jobs.filter(({ isWanted, drop }) => {
        if (isWanted()) return true
        drop()
        return false
      })
      setQueue(caller, wanted)
    }
  }

  const assertRoom = (caller: string): void => {
    const own = queued.get(caller)?.length ?? 0
    if (own >= MAX_QUEUED_PER_CALLER) throw tooMany(`${own} of your requests for metric results are queued`)
    const all = [...queued.values()].reduce((sum, { length }) => sum + length, 0)
    if (all >= MAX_QUEUED) throw tooMany(`${all} requests for metric results are queued`)
  }

  const startNext = (): void => {
    dropUnwanted()
    for (const [caller, [first, ...others]] of [...queued]) {
      if (running.size >= MAX_RUNNING) return
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
    assertRoom(caller)
    return new Promise((start, reject) => {
      const job = { isWanted, start, drop: () => reject(abandonedError()) }
      queued.set(caller, [...(queued.get(caller) ?? []), job])
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
    const { caller, isWanted } = job
    if (running.has(caller) || running.size >= MAX_RUNNING) return run(job, waitForTurn(caller, isWanted))
    running.add(caller)
    return run(job, undefined)
  }
}

interface QueuedJob {
  readonly isWanted: () => boolean
  readonly start: () => void
  readonly drop: () => void
}

/** Returns the error of a job that no request waits for any more. No client receives it. */
export function abandonedError(): HttpError {
  return tooMany('the client disconnected, and other requests for metric results are queued')
}

function tooMany(situation: string): HttpError {
  return rateLimited(`${situation}; retry in ${RETRY_AFTER_MS / SECOND} s`, RETRY_AFTER_MS)
}

/** Jobs need memory for each user, and share one core. */
const MAX_RUNNING = 2

const MAX_QUEUED_PER_CALLER = 2

const MAX_QUEUED = 50

/** About the time to read a few million events. */
const RETRY_AFTER_MS = 10 * SECOND
