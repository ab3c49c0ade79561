import type { KeyObject } from 'node:crypto'
import { StalenessReason } from '@burgee/contract/schemas'
import { publishAnchors } from '../access/anchors/publishAnchors.ts'
import type { EditRunner } from '../access/audit/edit.ts'
import type { ParseBody } from '../access/parseBody.ts'
import type { Options } from '../cli/options.ts'
import { openUserDataMaintenance } from '../flags/applicationUsers/userDataMaintenance.ts'
import type { UserDataUsage } from '../flags/applicationUsers/userDataUsage.ts'
import { openChangeRequestScheduler } from '../flags/changeRequests/changeRequestScheduler.ts'
import { openExpiryWarnings } from '../flags/expiry/expiryWarnings.ts'
import { openAuthMaintenance } from '../identity/endpoints/authMaintenance.ts'
import type { ProjectStaleCounts } from '../insights/staleness/countStaleFeatures.ts'
import { openDailyStalenessScan } from '../insights/staleness/dailyStalenessScan.ts'
import type { InspectProject } from '../insights/staleness/inspectProject.ts'
import { Disposer } from '../lib/disposer.ts'
import type { IdGenerator } from '../lib/idGenerator.ts'
import type { Logger } from '../lib/logger.ts'
import type { SafeFetch } from '../lib/outbound/safeFetch.ts'
import type { OpenedStore } from '../storage/open/openStore.ts'
import type { StoredOrganization } from '../storage/resources/organization.ts'
import type { Store } from '../storage/store.ts'
import type { ServerMetrics } from '../telemetry/metrics/metrics.ts'
import type { JobTimings } from './runningServer.ts'

interface Dependencies {
  readonly store: Store
  /** Does work on one server at a time. */
  readonly runExclusively: OpenedStore['runExclusively']
  readonly edit: EditRunner
  readonly ids: IdGenerator
  readonly now: () => number
  readonly log: Logger
  readonly validate: ParseBody
  readonly inspect: InspectProject
  readonly metrics: Pick<ServerMetrics, 'staleFeatures'>
  readonly organization: StoredOrganization
  readonly options: Pick<Options, 'userDataRetentionDays' | 'expiryWarningDays'>
  readonly usage: UserDataUsage
  readonly timings: JobTimings | undefined
  /** Signs anchors of the audit log; none if absent. */
  readonly anchorKey: KeyObject | undefined
  /** The address that anchors are posted to; empty to log them only. */
  readonly anchorUrl: string
  readonly send: SafeFetch
  /** Closes the opened jobs. */
  readonly disposer: Pick<Disposer, 'defer'>
}

/**
 * Starts the background jobs: maintenance of authentication state and expiry of user data; on one server at a time,
 * scheduled changes, warnings about expiring keys, the daily scan for stale features, and anchors of the audit log.
 */
export async function openBackgroundJobs({
  organization,
  metrics,
  timings,
  anchorKey,
  anchorUrl,
  send,
  disposer,
  options,
  usage,
  runExclusively,
  ...parts
}: Dependencies): Promise<void> {
  const maintenance = await openAuthMaintenance({ ...parts, organization: organization.key })
  disposer.defer(maintenance.close)
  const users = openUserDataMaintenance({
    ...parts,
    usage,
    retentionDays: options.userDataRetentionDays,
    checkMs: timings?.clockMs
  })
  disposer.defer(users.close)
  const startExclusiveJobs = async () => {
    const jobs = new Disposer()
    const scheduler = await openChangeRequestScheduler({ ...parts, checkMs: timings?.clockMs })
    jobs.defer(async () => scheduler.close())
    const { expiryWarningDays: warningDays } = options
    jobs.defer(openExpiryWarnings({ ...parts, warningDays, checkMs: timings?.clockMs }).close)
    const scan = openDailyStalenessScan({
      ...parts,
      checkMs: timings?.clockMs,
      onCounted: (projects) => updateStaleGauge(metrics.staleFeatures, projects)
    })
    jobs.defer(scan.close)
    if (anchorKey) {
      const anchored = { organization: organization.key, key: anchorKey, url: anchorUrl, send }
      jobs.defer(publishAnchors({ ...parts, ...anchored, intervalMs: timings?.anchorMs }).close)
    }
    return () => jobs.close()
  }
  disposer.defer(await runExclusively('jobs', startExclusiveJobs))
}

/**
 * Updates the gauge with the last scan. Removes the series of deleted projects and of projects with staleness disabled.
 */
function updateStaleGauge(gauge: ServerMetrics['staleFeatures'], projects: readonly ProjectStaleCounts[]): void {
  gauge.reset()
  for (const { project, counts } of projects) {
    for (const reason of StalenessReason.options) gauge.set({ project, reason }, counts[reason])
  }
}
