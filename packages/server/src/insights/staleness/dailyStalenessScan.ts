import { every } from '@burgee/kit'
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
  /** How often the clock is read, in milliseconds; 500 if omitted. */
  readonly pollMs?: number | undefined
  /** Told what was counted, of all projects that ask for it. */
  readonly onCounted: (censuses: readonly ProjectStaleCounts[]) => void
}

/** Counts the stale features of every project. */
export interface DailyStalenessScan {
  /** Waits for the round that is under way; there is no further one. */
  readonly close: () => Promise<void>
}

/** Counts now, and from now on when a day of UTC begins; then the log says what has become of each project since the last time. */
export function openDailyStalenessScan({
  store,
  inspect,
  now,
  log,
  pollMs = POLL_MS,
  onCounted
}: Dependencies): DailyStalenessScan {
  /** Id of the project → what was counted last. */
  let before: ReadonlyMap<string, StaleCounts> = new Map()
  let day: number | undefined
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

  const countOncePerDay = async (): Promise<void> => {
    const today = Math.floor(now() / DAY)
    if (day === today) return
    await count(day !== undefined)
    day = today
  }

  const onError = (error: unknown) => log.warn({ err: error }, 'stale features could not be counted; retrying later')
  const job = every(pollMs, countOncePerDay, { onError, retryMs: RETRY_MS, immediately: true })
  return {
    close: () => {
      isClosed = true
      return job.stop()
    }
  }
}

/** How often the clock is read, in milliseconds. */
const POLL_MS = 500

/** How long to wait after a failed scan, in milliseconds. */
const RETRY_MS = MINUTE
