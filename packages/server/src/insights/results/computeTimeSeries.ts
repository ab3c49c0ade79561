import { reasonOf } from '../../lib/reasonOf.ts'
import { DAY, HOUR, yieldToEventLoop } from '../../lib/time.ts'
import type { EventStore } from '../../storage/events/eventStore.ts'
import { type AttributionRules, createAttribution } from './attribution/attribution.ts'
import { areUsersKnown, metricDimensions } from './metricDimensions.ts'
import { openRunningTable } from './runningTable.ts'
import { computeSampleStatistics, emptyStatistics, type SampleStatistics, withoutUsers } from './sampleStatistics.ts'
import { timeBucketStarts } from './timeBuckets.ts'
import type { DaySnapshot, InterimResult, TimeSeries, TimeSeriesQuery } from './timeSeries.ts'

/** The parts of the event store that results are computed from. */
export type ResultSource = Pick<EventStore, 'eventRecords' | 'completeSince' | 'daySizes' | 'userTables'>

/**
 * Computes the interim result of each UTC day of the range, in one pass over the records. Days that are over are taken
 * from the running table of the query, which is then continued (ADR 69).
 */
export async function computeTimeSeries(
  eventStore: ResultSource,
  query: TimeSeriesQuery,
  now: number
): Promise<TimeSeries> {
  const { start, end } = query.range
  const days = timeBucketStarts(query.range, 'day')
  const dayEnds = days.map((day) => Date.parse(day) + DAY)
  const table = await openRunningTable(eventStore, query)
  const variations = [...new Set([...(table.saved?.variations ?? []), ...query.variations])]
  const isWhole = end === dayEnds.at(-1)
  const usable = table.saved && (isWhole || table.saved.snapshots.length < days.length) ? table.saved : undefined
  const snapshots: DaySnapshot[] = usable ? usable.snapshots.slice(0, days.length) : []
  const known = snapshots.length
  // The state of a later day cannot be rewound to an earlier one, but its snapshots include that day.
  const attribution = createAttribution(rulesOf(query, variations), usable?.attribution)
  const { ratioOfUser } = metricDimensions[query.dimension]
  let current: Promise<readonly SampleStatistics[]> | undefined
  let unsaved: string | undefined
  const takeSnapshot = async (): Promise<void> => {
    query.throwIfAborted?.()
    current ??= computeSampleStatistics(attribution, variations.length, ratioOfUser)
    const date = days[snapshots.length] ?? ''
    const statistics = await current
    const [hasExposures, exposedUsers] = [attribution.hasExposures(), attribution.exposedUsers()]
    snapshots.push({ date, statistics, hasExposures, exposedUsers })
    const [dayEnd = 0, nextEnd = 0] = dayEnds.slice(snapshots.length - 1)
    const isLastClosed = isClosed(dayEnd, now) && !(nextEnd > 0 && nextEnd <= end && isClosed(nextEnd, now))
    if (!isLastClosed || dayEnd > end) return
    try {
      await table.save({ variations, snapshots, attribution: attribution.save() })
    } catch (error) {
      unsaved = reasonOf(error)
    }
  }
  if (known < days.length) {
    const range = { start: known === 0 ? start : (dayEnds[known - 1] ?? start), end }
    let read = 0
    for await (const record of eventStore.eventRecords({ ...query, range })) {
      if (read++ % RECORDS_PER_SLICE === 0) {
        await yieldToEventLoop()
        query.throwIfAborted?.()
      }
      // The last day takes all remaining records, since the range ends with it.
      while (snapshots.length < days.length - 1 && record.at >= (dayEnds[snapshots.length] ?? 0)) await takeSnapshot()
      attribution.add(record)
      current = undefined
    }
    while (snapshots.length < days.length) await takeSnapshot()
  }
  const hasExposures = snapshots.at(-1)?.hasExposures ?? false
  return {
    days: snapshots.map((snapshot) => toInterimResult(snapshot, { query, variations, hasExposures })),
    since: usable ? usable.since : table.since,
    ...(unsaved === undefined ? {} : { unsaved })
  }
}

/** Whether no event of a day is expected any more. Evaluations on the server are appended within a second. */
function isClosed(dayEnd: number, now: number): boolean {
  return dayEnd + GRACE_PERIOD <= now
}

/** A disk that refuses writes for some minutes delays evaluations of the day before. */
const GRACE_PERIOD = HOUR

/** About a millisecond of work. */
const RECORDS_PER_SLICE = 4096

function rulesOf({ dimension, countsFrom, filter }: TimeSeriesQuery, variations: readonly string[]): AttributionRules {
  const { requiresValue, requiresPriorExposure, trustsReportedVariation } = metricDimensions[dimension]
  return {
    variations,
    requiresValue,
    requiresPriorExposure: requiresPriorExposure || countsFrom === 'firstExposure',
    trustsReportedVariation,
    requiresExposure: filter !== undefined
  }
}

function toInterimResult(
  { date, statistics, hasExposures, exposedUsers }: DaySnapshot,
  series: { readonly query: TimeSeriesQuery; readonly variations: readonly string[]; readonly hasExposures: boolean }
): InterimResult {
  const { dimension, variations } = series.query
  const samples = variations.map((id) => {
    const sample = statistics[series.variations.indexOf(id)] ?? emptyStatistics(0)
    // Until the first exposure, all events are trusted. Once there is one, users of earlier days are known to have got
    // no variation.
    return hasExposures === series.hasExposures ? sample : withoutUsers(sample)
  })
  const isKnown = areUsersKnown(samples)
  const { summarize } = metricDimensions[dimension]
  return {
    date,
    exposedUsers,
    variations: samples.map((sample) => {
      return { ...summarize(sample, isKnown), users: sample.users, activeUsers: sample.activeUsers }
    })
  }
}
