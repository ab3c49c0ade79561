import { StalenessReason } from '@burgee/contract'
import type { ProjectCensus } from '../staleness/census.ts'
import type { ServerMetrics } from './metrics.ts'

/** Shows what was counted last. Projects that are gone, or ask for it no more, are not shown any longer. */
export function showStale(gauge: ServerMetrics['staleFeatures'], censuses: readonly ProjectCensus[]): void {
  gauge.reset()
  for (const { project, census } of censuses) {
    for (const reason of StalenessReason.options) gauge.set({ project, reason }, census[reason])
  }
}
