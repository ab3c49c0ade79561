import { yieldToEventLoop } from '../../../lib/time.ts'
import type { LastEvaluatedQuery } from '../eventStore.ts'
import { utcHourStart } from '../utcDay.ts'
import type { EventStorage } from './eventStorage.ts'

/** When features were last evaluated, to the hour. The hour that `from` is in counts: what was in it may have been after. */
export async function findLastEvaluated(
  home: EventStorage,
  { environments, from }: LastEvaluatedQuery
): Promise<ReadonlyMap<string, number>> {
  const start = utcHourStart(from)
  const last = new Map<string, number>()
  for await (const day of home.days({ start, end: Number.POSITIVE_INFINITY })) {
    // Nobody else is answered while a day is looked through.
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
