import { DistinctUsers } from '../../events/engine/distinctUsers.ts'
import type { EventCounts } from '../../events/engine/eventStorage.ts'
import { createPeriodIndex } from '../../events/engine/periodIndex.ts'
import { utcHourStart } from '../../events/utcDay.ts'
import type { Database } from '../connection/database.ts'
import { readUserSets } from './readUserSets.ts'

/** Returns the counts in a database. The database sums evaluations; sets of users are merged here. */
export function createDatabaseCounts(database: Database): EventCounts {
  return {
    evaluations: async ({ environments, periods, feature, variable, platform, sdkType }) => {
      const counts = periods.map(() => new Map<string, number>())
      if (periods.length === 0) return counts
      const rows = await database.read<{ period: number; variation: string; count: number }>(
        `select period, variation, sum(count)::bigint as count
        from (
          select width_bucket(hour, $2::bigint[]) as period, hour, variation, count from burgee_event_counts
          where environment = any($1) and hour >= ($2::bigint[])[1] and hour < $4
          and ($5::text is null or feature = $5) and ($6::text is null or variable = $6)
          and ($7::text is null or platform = $7) and ($8::text is null or sdk_type = $8)
        ) as counts
        where hour < ($3::bigint[])[period] group by period, variation order by period, variation`,
        [
          environments,
          periods.map(({ start }) => start),
          periods.map(({ end }) => end),
          periods.at(-1)?.end,
          feature,
          variable,
          platform,
          sdkType
        ]
      )
      for (const { period, variation, count } of rows) {
        counts[period - 1]?.set(variation, Math.min(count, Number.MAX_SAFE_INTEGER))
      }
      return counts
    },

    users: async ({ environments, periods, sdkType }) => {
      const { span, indexOf } = createPeriodIndex(periods)
      const sets = periods.map(() => new DistinctUsers())
      for await (const stored of readUserSets(database, environments, span)) {
        if (sdkType !== undefined && sdkType !== stored.sdkType) continue
        sets[indexOf(stored.hour)]?.merge(DistinctUsers.from(stored.users))
      }
      return sets.map(({ size }) => size)
    },

    lastEvaluated: async ({ environments, from }) => {
      const rows = await database.read<{ feature: string; hour: number }>(
        `select feature, max(hour) as hour from burgee_event_counts
        where environment = any($1) and hour >= $2 and feature <> '' and count > 0 group by feature`,
        [environments, utcHourStart(from)]
      )
      return new Map(rows.map(({ feature, hour }) => [feature, hour]))
    }
  }
}
