import { breathe } from '../breathe.ts'
import type { Served } from './daySummary.ts'
import type { EvaluationsQuery, VariationCounts } from './eventStore.ts'
import type { Home } from './home.ts'
import { inPeriods } from './inPeriods.ts'

/** How often each variation was served in each of the periods. */
export async function evaluationsIn(home: Home, query: EvaluationsQuery): Promise<readonly VariationCounts[]> {
  const { span, indexOf } = inPeriods(query.periods)
  const counts = query.periods.map(() => new Map<string, number>())
  for await (const day of home.days(span)) {
    // Nobody else is answered while a day is looked through.
    await breathe()
    for (const environment of new Set(query.environments)) {
      for (const served of day.environments.get(environment)?.served ?? []) {
        const period = counts[indexOf(served.hour)]
        if (!period || !isAskedFor(served, query)) continue
        const { variation = '' } = served
        period.set(variation, (period.get(variation) ?? 0) + served.count)
      }
    }
  }
  return counts
}

function isAskedFor(served: Served, { feature, variable, platform, sdkType }: EvaluationsQuery): boolean {
  return (
    (feature === undefined || served.feature === feature) &&
    (variable === undefined || served.variable === variable) &&
    (platform === undefined || served.platform === platform) &&
    (sdkType === undefined || served.sdkType === sdkType)
  )
}
