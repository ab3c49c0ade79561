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
  /** How often the scan checks whether a new day has begun, in milliseconds; 500 if omitted. */
  readonly checkMs?: number | undefined
  /** Called after each scan with the counts of all projects that have enabled detection. */
  readonly onCounted: (projects: readonly ProjectStaleCounts[]) => void
}

/** A running daily scan. */
export interface DailyStalenessScan {
  /** Stops the scan. Resolves when the one in progress has ended. */
  readonly close: () => Promise<void>
}

/** Counts the stale features of all projects now and at the start of each UTC day. The daily counts are logged. */
export function openDailyStalenessScan({
  store,
  inspect,
  now,
  log,
  checkMs = CHECK_INTERVAL_MS,
  onCounted
}: Dependencies): DailyStalenessScan {
  /** The previous counts by project id. */
  let previous: ReadonlyMap<string, StaleCounts> = new Map()
  let scannedDay: number | undefined
  let isClosed = false

  const scan = async (isDaily: boolean): Promise<void> => {
    const current = new Map<string, StaleCounts>()
    const counted: ProjectStaleCounts[] = []
    const { items: projects } = await store.collection('projects').list()
    for (const project of projects) {
      const counts = isClosed ? undefined : await countStaleFeatures(store, project, inspect)
      if (!counts) continue
      current.set(project._id, counts)
      counted.push({ project: project.key, counts })
      if (isDaily) logCounts(project.key, counts, previous.get(project._id))
    }
    previous = current
    onCounted(counted)
  }

  const logCounts = (project: string, counts: StaleCounts, before: StaleCounts | undefined): void => {
    const total = totalStaleCount(counts)
    // Absent after a start, and after detection was enabled.
    const difference = before && { difference: total - totalStaleCount(before) }
    log.info({ project, total, ...counts, ...difference }, 'stale features')
  }

  const scanOncePerDay = async (): Promise<void> => {
    const today = Math.floor(now() / DAY)
    if (scannedDay === today) return
    await scan(scannedDay !== undefined)
    scannedDay = today
  }

  const onError = (error: unknown) => log.warn({ err: error }, 'counting stale features failed; it will be retried')
  const job = every(checkMs, scanOncePerDay, { onError, retryMs: RETRY_MS, immediately: true })
  return {
    close: () => {
      isClosed = true
      return job.stop()
    }
  }
}

/** How often the scan checks whether a new day has begun. */
const CHECK_INTERVAL_MS = 500

/** How long to wait after a scan that failed. */
const RETRY_MS = MINUTE
