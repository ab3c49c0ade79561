import { StalenessReason } from '@burgee/contract/schemas'
import type { ProjectStaleCounts } from '../../insights/staleness/countStaleFeatures.ts'
import type { ServerMetrics } from './metrics.ts'

/** Shows what was counted last. Projects that are gone, or ask for it no more, are not shown any longer. */
export function updateStaleGauge(gauge: ServerMetrics['staleFeatures'], censuses: readonly ProjectStaleCounts[]): void {
  gauge.reset()
  for (const { project, counts } of censuses) {
    for (const reason of StalenessReason.options) gauge.set({ project, reason }, counts[reason])
  }
}
