import type { EditRunner } from '../access/audit/edit.ts'
import { openChangeRequestScheduler } from '../flags/changeRequests/changeRequestScheduler.ts'
import { openAuthMaintenance } from '../identity/endpoints/authMaintenance.ts'
import { openDailyStalenessScan } from '../insights/staleness/dailyStalenessScan.ts'
import type { InspectProject } from '../insights/staleness/inspectProject.ts'
import type { Disposer } from '../lib/disposer.ts'
import type { IdGenerator } from '../lib/idGenerator.ts'
import type { Logger } from '../lib/logger.ts'
import type { ParseBody } from '../lib/parseBody.ts'
import type { StoredOrganization } from '../storage/resources.ts'
import type { Store } from '../storage/store.ts'
import type { ServerMetrics } from '../telemetry/metrics/metrics.ts'
import { updateStaleGauge } from '../telemetry/metrics/updateStaleGauge.ts'

interface Dependencies {
  readonly store: Store
  readonly edit: EditRunner
  readonly ids: IdGenerator
  readonly now: () => number
  /** How often the jobs check whether work is due; each has a default. */
  readonly checkIntervalMs: number | undefined
  readonly log: Logger
  readonly validate: ParseBody
  readonly inspect: InspectProject
  readonly metrics: Pick<ServerMetrics, 'staleFeatures'>
  readonly organization: StoredOrganization
  /** Closes what is opened here. */
  readonly disposer: Pick<Disposer, 'defer'>
}

/** Begins what the server does without being asked: it applies what is scheduled, throws away what is void, and counts what is stale. */
export async function openBackgroundJobs({ organization, metrics, disposer, ...parts }: Dependencies): Promise<void> {
  const schedule = await openChangeRequestScheduler(parts)
  disposer.defer(schedule.close)
  const upkeep = await openAuthMaintenance({ ...parts, organization: organization.key })
  disposer.defer(upkeep.close)
  const rounds = openDailyStalenessScan({
    ...parts,
    onCounted: (censuses) => updateStaleGauge(metrics.staleFeatures, censuses)
  })
  disposer.defer(rounds.close)
}
