import { yieldToEventLoop } from '../../../lib/time.ts'
import type { LastEvaluatedQuery } from '../eventStore.ts'
import { utcHourStart } from '../utcDay.ts'
import type { DaySummaries } from './eventStorage.ts'

/** Returns when features were last evaluated, to the hour. Includes the hour of `from`. */
export async function findLastEvaluated(
  storage: DaySummaries,
  { environments, from }: LastEvaluatedQuery
): Promise<ReadonlyMap<string, number>> {
  const start = utcHourStart(from)
  const last = new Map<string, number>()
  for await (const day of storage.days({ start, end: Number.POSITIVE_INFINITY })) {
    // Reading a day can take milliseconds, which block the event loop.
    await yieldToEventLoop()
    for (const environment of environments) {
      for (const { hour, feature, count } of day.environments.get(environment)?.served ?? []) {
        if (feature === undefined || count === 0 || hour < start) continue
        last.set(feature, Math.max(hour, last.get(feature) ?? hour))
      }
    }
  }
  return last
}
