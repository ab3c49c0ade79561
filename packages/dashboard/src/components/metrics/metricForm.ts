import type { CreateMetric, Metric, UpdateMetric } from '@burgee/contract/schemas'
import { toKey } from '../forms/toKey.ts'

/** A metric as it is typed. */
export interface MetricForm {
  readonly name: string
  /** Absent until it is typed: it follows the name. */
  readonly key: string | undefined
  readonly description: string
  readonly event: string
  readonly dimension: Metric['dimension']
  readonly optimize: Metric['optimize']
  readonly countsFrom: NonNullable<Metric['countsFrom']>
}

/** The form of a metric, or of a new one. Metrics of earlier versions count from the first day. */
export function toMetricForm(metric?: Metric): MetricForm {
  return {
    name: metric?.name ?? '',
    key: metric?.key,
    description: metric?.description ?? '',
    event: metric?.event ?? '',
    dimension: metric?.dimension ?? 'COUNT_PER_UNIQUE_USER',
    optimize: metric?.optimize ?? 'increase',
    countsFrom: metric ? (metric.countsFrom ?? 'startDate') : 'firstExposure'
  }
}

/** The body that creates the metric of a form. */
export function toMetricBody({ key, description, ...form }: MetricForm): CreateMetric {
  return { ...form, key: key ?? toKey(form.name), ...(description === '' ? {} : { description }) }
}

/** The members that differ between two forms. */
export function changedMetricMembers(from: MetricForm, to: MetricForm): UpdateMetric {
  const before = new Map(Object.entries(from))
  return Object.fromEntries(
    Object.entries(to).filter(([name, value]) => value !== undefined && value !== before.get(name))
  )
}
