import { StalenessReason } from '@burgee/contract/schemas'
import type { ProjectStaleCounts } from '../../insights/staleness/countStaleFeatures.ts'
import type { ServerMetrics } from './metrics.ts'

/** Updates the gauge with the last scan. Deleted projects and projects that turned staleness off disappear. */
export function updateStaleGauge(gauge: ServerMetrics['staleFeatures'], censuses: readonly ProjectStaleCounts[]): void {
  gauge.reset()
  for (const { project, counts } of censuses) {
    for (const reason of StalenessReason.options) gauge.set({ project, reason }, counts[reason])
  }
}
