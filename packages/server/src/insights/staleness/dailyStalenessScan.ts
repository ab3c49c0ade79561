import type { Logger } from '../../lib/logger.ts'
import { DAY, MINUTE } from '../../lib/time.ts'
import type { Store } from '../../storage/store.ts'
import { countStaleFeatures, type ProjectStaleCounts, type StaleCounts, totalStaleCount } from './countStaleFeatures.ts'
import type { InspectProject } from './inspectProject.ts'

interface Dependencies {
  readonly store: Store
  readonly inspect: InspectProject
  readonly now: () => number
  readonly log: Logger
  /** Told what was counted, of all projects that ask for it. */
  readonly onCounted: (censuses: readonly ProjectStaleCounts[]) => void
}

/** Counts the stale features of every project. */
export interface DailyStalenessScan {
  /** Waits for the round that is under way; there is no further one. */
  readonly close: () => Promise<void>
}

/** Counts now, and from now on when a day of UTC begins; then the log says what has become of each project since the last time. */
export function openDailyStalenessScan({ store, inspect, now, log, onCounted }: Dependencies): DailyStalenessScan {
  /** Id of the project → what was counted last. */
  let before: ReadonlyMap<string, StaleCounts> = new Map()
  let day: number | undefined
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  const count = async (isDaily: boolean): Promise<void> => {
    const censuses = new Map<string, StaleCounts>()
    const counted: ProjectStaleCounts[] = []
    const { items: projects } = await store.collection('projects').list()
    for (const project of projects) {
      const counts = isClosed ? undefined : await countStaleFeatures(store, project, inspect)
      if (!counts) continue
      censuses.set(project._id, counts)
      counted.push({ project: project.key, counts })
      if (isDaily) tell(project.key, counts, before.get(project._id))
    }
    before = censuses
    onCounted(counted)
  }

  const tell = (project: string, census: StaleCounts, earlier: StaleCounts | undefined): void => {
    const total = totalStaleCount(census)
    // After a start, or while the project did not ask for it, there is nothing to compare with.
    const difference = earlier && { difference: total - totalStaleCount(earlier) }
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
