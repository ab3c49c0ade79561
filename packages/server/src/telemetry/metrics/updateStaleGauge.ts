import { StalenessReason } from '@burgee/contract/schemas'
import type { ProjectStaleCounts } from '../../insights/staleness/countStaleFeatures.ts'
import type { ServerMetrics } from './metrics.ts'

/**
 * Updates the gauge with the last scan. Removes the series of deleted projects and of projects with staleness disabled.
 */
export function updateStaleGauge(gauge: ServerMetrics['staleFeatures'], projects: readonly ProjectStaleCounts[]): void {
  gauge.reset()
  for (const { project, counts } of projects) {
    for (const reason of StalenessReason.options) gauge.set({ project, reason }, counts[reason])
  }
}
