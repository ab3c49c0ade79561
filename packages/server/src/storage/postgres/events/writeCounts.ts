import type { PoolClient } from 'pg'
import type { DaySummary } from '../../events/engine/daySummary.ts'
import type { EventEntry } from '../../events/eventEntry.ts'
import { toUtcDay, utcHourStart } from '../../events/utcDay.ts'

/** Adds the evaluations of entries to the counts: one row for each hour and kind of evaluation. */
export async function addCounts(
  client: PoolClient,
  entries: readonly EventEntry[],
  summaries: ReadonlyMap<string, DaySummary>
): Promise<void> {
  const added = new Map<string, CountKey & { count: number }>()
  for (const { environment, at, counts } of entries) {
    if (counts.length === 0) continue
    const known = summaries.get(toUtcDay(at))?.environment(environment)
    if (known === undefined) throw new Error(`the counts of ${toUtcDay(at)} were not read`)
    const hour = utcHourStart(at)
    for (const { count, ...served } of counts) {
      const kind = known.addCount({ hour, ...served }, count)
      const key: CountKey = [
        environment,
        hour,
        kind.feature ?? '',
        kind.variable ?? '',
        kind.variation ?? '',
        kind.platform,
        kind.sdkType
      ]
      const name = key.join('\0')
      const row = added.get(name)
      if (row) row.count += count
      else added.set(name, Object.assign(key, { count }))
    }
  }
  if (added.size === 0) return
  const rows = [...added.values()]
  const column = (index: number) => rows.map((row) => row[index])
  await client.query(
    `insert into burgee_event_counts as known (environment, hour, feature, variable, variation, platform, sdk_type, count)
    select * from unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bigint[])
    order by 1, 2, 3, 4, 5, 6, 7
    on conflict (environment, hour, feature, variable, variation, platform, sdk_type)
    do update set count = least(known.count + excluded.count, ${Number.MAX_SAFE_INTEGER})`,
    [...[0, 1, 2, 3, 4, 5, 6].map(column), rows.map(({ count }) => Math.min(count, Number.MAX_SAFE_INTEGER))]
  )
}

type CountKey = [
  environment: string,
  hour: number,
  feature: string,
  variable: string,
  variation: string,
  platform: string,
  sdkType: string
]
