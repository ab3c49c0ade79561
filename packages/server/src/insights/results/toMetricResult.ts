import type { Metric, MetricResult, MetricResultQuery } from '@burgee/contract/schemas'
import { findByKeyOrId, omitUndefined } from '@burgee/kit'
import { DAY, toIsoString, yieldToEventLoop } from '../../lib/time.ts'
import type { StoredConfiguration, StoredFeature } from '../../storage/resources/feature.ts'
import type { ExposedUsers } from './attribution/attribution.ts'
import { SAMPLE_RATIO_MISMATCH } from './inference/decide.ts'
import { bestInterimAnalysis, type InterimAnalysis, type NewInterimAnalyses } from './interimAnalyses.ts'
import type { InterimResult, TimeSeries } from './timeSeries.ts'
import { toSampleRatio } from './toSampleRatio.ts'
import {
  bestInterimAnalyses,
  compareDays,
  type DayComparisons,
  metricRate,
  toInterimAnalysis,
  toVariationResults
} from './toVariationResults.ts'

/** The input of a metric result besides the time series. */
export interface MetricResultContext {
  readonly feature: Pick<StoredFeature, 'variations'>
  /** The configurations of the requested environments. */
  readonly configurations: readonly Pick<StoredConfiguration, 'status' | 'targets'>[]
  /** Key or id of the control variation; if it does not exist, the first variation is the control. */
  readonly control: string
  readonly optimize: Metric['optimize']
  /** In epoch milliseconds. */
  readonly range: { readonly start: number; readonly end: number }
  /** In epoch milliseconds. Later days are left out of the data series. */
  readonly now: number
  readonly query: MetricResultQuery
  /** Earlier interim analyses: id of the control → id of the treatment → interim analyses. */
  readonly interimAnalyses: Readonly<Record<string, Readonly<Record<string, readonly InterimAnalysis[]>>>>
}

/** Converts a time series to the result of a metric, and returns the interim analyses that it consists of. */
export async function toMetricResult(
  context: MetricResultContext,
  { days: all, since, unsaved }: TimeSeries
): Promise<{ readonly result: MetricResult['result']; readonly interimAnalyses: NewInterimAnalyses }> {
  const { feature, configurations, optimize, range, now, query } = context
  const { variations } = feature
  const named = findByKeyOrId(variations, context.control)
  const control = named ? variations.indexOf(named) : 0
  const controlId = variations[control]?._id ?? ''
  const days = all.filter(({ date }) => Date.parse(date) <= now)
  const final = days.at(-1)
  const compared = await compareDays(days, control, optimize)
  const endOf = (day: number) => Math.min(Date.parse(days[day]?.date ?? '') + DAY, range.end, now)
  const until = Math.min(range.end, now)
  const earlier = variations.map(({ _id }) =>
    bestInterimAnalysis(context.interimAnalyses[controlId]?.[_id] ?? [], until)
  )
  const interimAnalyses = bestInterimAnalyses(compared, endOf, earlier)
  const comparisons = compared.at(-1) ?? []
  const sampleRatio = toSampleRatio(variations, final?.variations.map(({ users }) => users) ?? [], configurations)
  const input = { variations, final, comparisons, interimAnalyses, control, optimize, effect: query.effect }
  const exposures = toMultipleExposures(final?.exposedUsers)
  const coverage = toCoverage(range.start, since)
  const ownAnalyses = variations.flatMap(({ _id }, index) => {
    const comparison = comparisons[index]
    const analysis = comparison && toInterimAnalysis(comparison, until)
    return analysis ? [[_id, analysis] as const] : []
  })
  return {
    result: {
      ...omitUndefined({ control: variations[control]?.key }),
      dataSeries: await toDataSeries(variations, days, compared, {
        endOf,
        earlier: context.interimAnalyses[controlId] ?? {}
      }),
      variations: toVariationResults({ ...input, isMismatch: sampleRatio.isMismatch }),
      sampleRatio,
      comparisons: Math.max(0, variations.length - 1),
      exposures,
      coverage,
      query,
      warnings: [
        ...(query.isPooled
          ? [`environments are counted together: ${query.environments.join(', ')}; pass environment to select one`]
          : []),
        ...(coverage.reason === undefined ? [] : [coverage.reason]),
        ...(unsaved === undefined
          ? []
          : [`the result could not be stored, and will be incomplete once its events expire: ${unsaved}`]),
        ...(sampleRatio.isMismatch ? [SAMPLE_RATIO_MISMATCH] : []),
        ...(exposures.isWarning
          ? [`${exposures.multiple} users got several variations and count for each of them`]
          : [])
      ]
    },
    interimAnalyses: { control: controlId, interimAnalyses: new Map(ownAnalyses) }
  }
}

async function toDataSeries(
  variations: StoredFeature['variations'],
  days: readonly InterimResult[],
  compared: readonly DayComparisons[],
  {
    endOf,
    earlier
  }: {
    readonly endOf: (day: number) => number
    readonly earlier: Readonly<Record<string, readonly InterimAnalysis[]>>
  }
): Promise<MetricResult['result']['dataSeries']> {
  const series: MetricResult['result']['dataSeries'] = []
  /** The smallest p-values of the days so far. */
  let best: readonly (InterimAnalysis | undefined)[] = []
  for (const [day, { date, variations: results }] of days.entries()) {
    // Intervals take some tenths of a millisecond.
    await yieldToEventLoop()
    const comparisons = compared[day] ?? []
    best = bestInterimAnalyses([comparisons], () => endOf(day), best)
    const ofDay = variations.flatMap(({ _id, key }, index) => {
      const [result, comparison] = [results[index], comparisons[index]]
      if (!result) return []
      const [known, own] = [bestInterimAnalysis(earlier[_id] ?? [], endOf(day)), best[index]]
      const pValues = [known, own].flatMap((analysis) => (analysis ? [analysis.pValue] : []))
      return [
        {
          key,
          numerator: result.numerator,
          denominator: result.denominator,
          rate: metricRate(result),
          pValue: comparison?.pValue ?? null,
          confidenceInterval: comparison?.confidenceInterval ?? null,
          sequentialPValue: pValues.length > 0 ? Math.min(...pValues) : null
        }
      ]
    })
    const rates = ofDay.flatMap(({ key, denominator, rate }) => (denominator > 0 ? [[key, rate] as const] : []))
    series.push({ date, values: Object.fromEntries(rates), variations: ofDay })
  }
  return series
}

function toMultipleExposures({ users, multiple }: ExposedUsers = { users: 0, multiple: 0 }) {
  const share = users > 0 ? multiple / users : 0
  return { users, multiple, share, isWarning: share > WARNING_SHARE && multiple >= WARNING_USERS }
}

const WARNING_SHARE = 0.01
const WARNING_USERS = 10

function toCoverage(start: number, since: number): MetricResult['result']['coverage'] {
  if (since <= start) return { since: toIsoString(start), isComplete: true }
  const reason = `events before ${toIsoString(since)} have expired: the result includes only later ones`
  return { since: toIsoString(since), isComplete: false, reason }
}
