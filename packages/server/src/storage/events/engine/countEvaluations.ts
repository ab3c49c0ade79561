import { yieldToEventLoop } from '../../../lib/time.ts'
import type { EvaluationsQuery, VariationCounts } from '../eventStore.ts'
import type { ServedCount } from './environmentSummary.ts'
import type { DaySummaries } from './eventStorage.ts'
import { createPeriodIndex } from './periodIndex.ts'

/** Returns how often each variation was served in each period. */
export async function countEvaluations(
  storage: DaySummaries,
  query: EvaluationsQuery
): Promise<readonly VariationCounts[]> {
  const { span, indexOf } = createPeriodIndex(query.periods)
  const counts = query.periods.map(() => new Map<string, number>())
  for await (const day of storage.days(span)) {
    // Reading a day can take milliseconds, which block the event loop.
    await yieldToEventLoop()
    for (const environment of new Set(query.environments)) {
      for (const served of day.environments.get(environment)?.served ?? []) {
        const period = counts[indexOf(served.hour)]
        if (!period || !isQueried(served, query)) continue
        const { variation = '' } = served
        period.set(variation, (period.get(variation) ?? 0) + served.count)
      }
    }
  }
  return counts
}

function isQueried(served: ServedCount, { feature, variable, platform, sdkType }: EvaluationsQuery): boolean {
  return (
    (feature === undefined || served.feature === feature) &&
    (variable === undefined || served.variable === variable) &&
    (platform === undefined || served.platform === platform) &&
    (sdkType === undefined || served.sdkType === sdkType)
  )
}
