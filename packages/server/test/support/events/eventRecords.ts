import type { MetricDimension, MetricResult, VariationResult } from '@burgee/contract/schemas'
import { DAY } from '@burgee/testing/plan'
import { computeTimeSeries } from '../../../src/insights/results/computeTimeSeries.ts'
import { toMetricResult } from '../../../src/insights/results/toMetricResult.ts'
import type { EventRecord } from '../../../src/storage/events/eventStore.ts'

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

/** The results of a dimension; the ids of the variations are their keys, and the first is the control. */
export async function resultOf(
  occurrences: readonly EventRecord[],
  dimension: MetricDimension,
  { keys = ['old', 'new'], days = 1, optimize = 'increase' as 'increase' | 'decrease' } = {}
): Promise<MetricResult['result']> {
  const looks = await computeTimeSeries(
    {
      async *eventRecords() {
        yield* occurrences
      }
    },
    {
      environments: ['production'],
      range: { start: START, end: START + days * DAY },
      feature: 'search',
      event: 'purchase',
      dimension,
      variations: keys
    }
  )
  const variations = keys.map((key) => ({ _id: key, key, name: key, variables: [] }))
  return toMetricResult(
    { feature: { variations }, configurations: [], control: '', optimize, now: START + days * DAY - 1 },
    looks
  )
}

/** The same, for the variations only. */
export async function variationsOf(...given: Parameters<typeof resultOf>): Promise<readonly VariationResult[]> {
  return (await resultOf(...given)).variations
}
