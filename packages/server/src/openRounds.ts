import type { MakeEdit } from './audit/edit.ts'
import { openUpkeep } from './auth/upkeep.ts'
import { openSchedule } from './changeRequests/schedule.ts'
import type { Ids } from './id.ts'
import type { Logger } from './log.ts'
import type { ServerMetrics } from './metrics/metrics.ts'
import { showStale } from './metrics/showStale.ts'
import type { Opened } from './opened.ts'
import type { Inspect } from './staleness/inspect.ts'
import { openStalenessRounds } from './staleness/rounds.ts'
import type { StoredOrganization } from './store/resources.ts'
import type { Store } from './store/store.ts'
import type { Validate } from './validate.ts'

interface Dependencies {
  readonly store: Store
  readonly edit: MakeEdit
  readonly ids: Ids
  readonly now: () => number
  readonly log: Logger
  readonly validate: Validate
  readonly inspect: Inspect
  readonly metrics: Pick<ServerMetrics, 'staleFeatures'>
  readonly organization: StoredOrganization
  /** Closes what is opened here. */
  readonly opened: Pick<Opened, 'add'>
}

/** Begins what the server does without being asked: it applies what is scheduled, throws away what is void, and counts what is stale. */
export async function openRounds({ organization, metrics, opened, ...parts }: Dependencies): Promise<void> {
  const schedule = await openSchedule(parts)
  opened.add(schedule.close)
  const upkeep = await openUpkeep({ ...parts, organization: organization.key })
  opened.add(upkeep.close)
  const rounds = openStalenessRounds({
    ...parts,
    onCounted: (censuses) => showStale(metrics.staleFeatures, censuses)
  })
  opened.add(rounds.close)
}
