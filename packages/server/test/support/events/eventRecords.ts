import type { MetricDimension, MetricResult, MetricResultQuery, VariationResult } from '@burgee/contract/schemas'
import { DAY } from '@burgee/testing/plan'
import { computeTimeSeries, type ResultSource } from '../../../src/insights/results/computeTimeSeries.ts'
import { toMetricResult } from '../../../src/insights/results/toMetricResult.ts'
import type { EventRecord } from '../../../src/storage/events/eventStore.ts'
import { createMemoryFileMap, createUserTableStore } from '../../../src/storage/events/tables/userTableStore.ts'

/** The first day of the events. */
export const START = Date.parse('2026-02-01T00:00:00.000Z')

/** An exposure: a user got a variation. */
export function exposure(user_id: string, variation: string, at = START, environment = 'production'): EventRecord {
  return { type: 'exposure', at, environment, user_id, variation }
}

/** The members of an event, except its user. */
interface EventDetails {
  readonly value?: number
  readonly variation?: string
  readonly at?: number
  readonly environment?: string
}

/** An event of a user. */
export function customEvent(
  user_id: string,
  { at = START, environment = 'production', ...details }: EventDetails = {}
): EventRecord {
  return { type: 'event', at, environment, user_id, ...details }
}

/** A number of evaluations of a variation. */
export function evaluations(variation: string, count: number, at = START): EventRecord {
  return { type: 'evaluations', at, environment: 'production', variation, count }
}

/** A source of these records. */
export function sourceOf(records: readonly EventRecord[]): ResultSource {
  return {
    async *eventRecords() {
      yield* records
    },
    completeSince: () => 0,
    daySizes: async () => new Map(),
    userTables: createUserTableStore(createMemoryFileMap())
  }
}

/** The results of a dimension; the ids of the variations are their keys, and the first is the control. */
export async function resultOf(
  records: readonly EventRecord[],
  dimension: MetricDimension,
  { keys = ['old', 'new'], days = 1, optimize = 'increase' as 'increase' | 'decrease' } = {}
): Promise<MetricResult['result']> {
  const range = { start: START, end: START + days * DAY }
  const now = range.end - 1
  const query = { environments: ['production'], range, feature: 'search', event: 'purchase' }
  const timeSeries = await computeTimeSeries(
    sourceOf(records),
    { ...query, dimension, countsFrom: 'startDate', variations: keys },
    now
  )
  const variations = keys.map((key) => ({ _id: key, key, name: key, variables: [] }))
  const context = {
    feature: { variations },
    configurations: [],
    control: '',
    optimize,
    range,
    now,
    interimAnalyses: {}
  }
  return (await toMetricResult({ ...context, query: echoed({ dimension, optimize }) }, timeSeries)).result
}

/** An echoed query. */
export function echoed(query: Partial<MetricResultQuery> = {}): MetricResultQuery {
  return {
    feature: 'search',
    event: 'purchase',
    dimension: 'TOTAL_SUM',
    optimize: 'increase',
    countsFrom: 'startDate',
    environments: ['production'],
    isPooled: false,
    startDate: new Date(START).toISOString(),
    endDate: new Date(START + DAY).toISOString(),
    effect: 0.1,
    ...query
  }
}

/** The same, for the variations only. */
export async function variationsOf(...given: Parameters<typeof resultOf>): Promise<readonly VariationResult[]> {
  return (await resultOf(...given)).variations
}
