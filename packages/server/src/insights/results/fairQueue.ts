import { type ApiError, rateLimited } from '../../lib/errors.ts'
import { SECOND } from '../../lib/time.ts'

/** Work that somebody waits for. */
export interface Job<T> {
  /** Who has it done. */
  readonly caller: string
  /** Whether anybody still waits for it; once nobody does, nobody ever will. */
  readonly isWanted: () => boolean
  readonly work: () => Promise<T>
}

/** Does a job when it is its turn; one that nobody wants by then is refused. @throws {ApiError} 429 when too many wait already. */
export type FairQueue = <T>(job: Job<T>) => Promise<T>

/** Does two jobs at a time, of two callers. Callers take turns: those who have many done hold up nobody but themselves. */
export function createFairQueue(): FairQueue {
  const running = new Set<string>()
  /** Of each caller, in the order in which they get their turns. */
  const waiting = new Map<string, readonly QueuedJob[]>()

  const put = (caller: string, places: readonly QueuedJob[]): void => {
    if (places.length === 0) waiting.delete(caller)
    else waiting.set(caller, places)
  }

  const dropUnwanted = (): void => {
    for (const [caller, places] of waiting) {
      const wanted = places.filter(({ isWanted, drop }) => {
        if (isWanted()) return true
        drop()
        return false
      })
      put(caller, wanted)
    }
  }

  const assertRoom = (caller: string): void => {
    const own = waiting.get(caller)?.length ?? 0
    if (own >= WAITING_OF_CALLER) throw tooMany(`${own} metric results that you asked for wait`)
    const all = [...waiting.values()].reduce((sum, { length }) => sum + length, 0)
    if (all >= WAITING) throw tooMany(`${all} metric results wait`)
  }

  const startNext = (): void => {
    dropUnwanted()
    for (const [caller, [first, ...others]] of [...waiting]) {
      if (running.size >= AT_ONCE) return
      if (running.has(caller) || !first) continue
      // The others of this caller wait until everybody else has had a turn.
      waiting.delete(caller)
      put(caller, others)
      running.add(caller)
      first.begin()
    }
  }

  const wait = (caller: string, isWanted: () => boolean): Promise<void> => {
    dropUnwanted()
    assertRoom(caller)
    return new Promise((begin, refuse) => {
      const place = { isWanted, begin, drop: () => refuse(abandonedError()) }
      waiting.set(caller, [...(waiting.get(caller) ?? []), place])
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

  // It is no async function: who is refused is to know at once.
  return (job) => {
    const { caller, isWanted } = job
    if (running.has(caller) || running.size >= AT_ONCE) return run(job, wait(caller, isWanted))
    running.add(caller)
    return run(job, undefined)
  }
}

/** Where a job waits. */
interface QueuedJob {
  readonly isWanted: () => boolean
  readonly begin: () => void
  readonly drop: () => void
}

/** What becomes of work that nobody waits for any more. Nobody is there to be told. */
export function abandonedError(): ApiError {
  return tooMany('whoever asked for metric results has hung up, and others wait')
}

function tooMany(situation: string): ApiError {
  return rateLimited(`${situation}; retry in ${RETRY_SECONDS} s`, RETRY_SECONDS * SECOND)
}

/** Jobs take memory for each user, and a core between them. */
const AT_ONCE = 2

const WAITING_OF_CALLER = 2

const WAITING = 50

/** In seconds: about as long as going through some millions of events takes. */
const RETRY_SECONDS = 10
