import { DAY, MINUTE } from '../duration.ts'
import type { Logger } from '../log.ts'
import type { Store } from '../store/store.ts'
import { type Census, censusOf, type ProjectCensus, totalOf } from './census.ts'
import type { Inspect } from './inspect.ts'

interface Dependencies {
  readonly store: Store
  readonly inspect: Inspect
  readonly now: () => number
  readonly log: Logger
  /** Told what was counted, of all projects that ask for it. */
  readonly onCounted: (censuses: readonly ProjectCensus[]) => void
}

/** Counts the stale features of every project. */
export interface StalenessRounds {
  /** Waits for the round that is under way; there is no further one. */
  readonly close: () => Promise<void>
}

/** Counts now, and from now on when a day of UTC begins; then the log says what has become of each project since the last time. */
export function openStalenessRounds({ store, inspect, now, log, onCounted }: Dependencies): StalenessRounds {
  /** Id of the project → what was counted last. */
  let before: ReadonlyMap<string, Census> = new Map()
  let day: number | undefined
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  const count = async (isDaily: boolean): Promise<void> => {
    const censuses = new Map<string, Census>()
    const counted: ProjectCensus[] = []
    const { items: projects } = await store.collection('projects').list()
    for (const project of projects) {
      const census = isClosed ? undefined : await censusOf(store, project, inspect)
      if (!census) continue
      censuses.set(project._id, census)
      counted.push({ project: project.key, census })
      if (isDaily) tell(project.key, census, before.get(project._id))
    }
    before = censuses
    onCounted(counted)
  }

  const tell = (project: string, census: Census, earlier: Census | undefined): void => {
    const total = totalOf(census)
    // After a start, or while the project did not ask for it, there is nothing to compare with.
    const difference = earlier && { difference: total - totalOf(earlier) }
    log.info({ project, total, ...census, ...difference }, 'stale features')
  }

  /** Answers how long to wait before the next look at the clock. */
  const look = async (): Promise<number> => {
    const today = Math.floor(now() / DAY)
    if (day === today) return LOOK_MS
    try {
      await count(day !== undefined)
      day = today
      return LOOK_MS
    } catch (error) {
      log.warn({ err: error }, 'stale features could not be counted; that will be tried again')
      return RETRY_MS
    }
  }

  const wait = (ms: number): void => {
    if (isClosed) return
    timer = setTimeout(() => {
      round = look().then(wait)
    }, ms).unref()
  }

  let round = look().then(wait)
  return {
    close: () => {
      isClosed = true
      clearTimeout(timer)
      return round
    }
  }
}

/** How often the clock is looked at. */
const LOOK_MS = 500

/** How long to wait after a round that failed. */
const RETRY_MS = MINUTE
