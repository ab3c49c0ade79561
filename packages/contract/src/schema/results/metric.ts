import { z } from 'zod'
import { ChangeSource, DateTime, Description, Id, Name, NameInput, recordFields } from '../common/fields.ts'
import { Key } from '../common/key.ts'
import { feature } from '../examples/checkout.ts'
import { createdAt, ids, purchaseMetric } from '../examples/shop.ts'
import { Feature } from '../features/feature.ts'

/** How a metric is computed from events (docs/reference/management.md#metrics-and-results). */
export const MetricDimension = z
  .enum([
    'COUNT_PER_UNIQUE_USER',
    'COUNT_PER_VARIABLE_EVALUATION',
    'SUM_PER_UNIQUE_USER',
    'AVERAGE_PER_UNIQUE_USER',
    'TOTAL_AVERAGE',
    'TOTAL_SUM'
  ])
  .meta({ description: 'How events are aggregated: counted or summed, per user or in total.' })
export type MetricDimension = z.infer<typeof MetricDimension>

/** The time from which the events of a user count. */
export const CountsFrom = z.enum(['firstExposure', 'startDate'])
export type CountsFrom = z.infer<typeof CountsFrom>

/** A measure by which the variations of a feature are compared. */
export const Metric = z
  .object({
    ...recordFields,
    _project: Id,
    name: Name,
    key: Key,
    description: Description.exactOptional(),
    event: z.string().min(1).max(1000).meta({ description: 'The type of the events to measure.', example: 'purchase' }),
    dimension: MetricDimension,
    optimize: z.enum(['increase', 'decrease']).meta({ description: 'The direction that is better.' }),
    countsFrom: CountsFrom.exactOptional().meta({
      description:
        'Which events of a user count: those since the first variation, or all since `startDate`. New metrics: `firstExposure`; absent in earlier metrics: `startDate`.'
    }),
    source: ChangeSource.exactOptional()
  })
  .meta({ id: 'Metric', example: purchaseMetric })
export type Metric = z.infer<typeof Metric>

const MetricBody = Metric.pick({
  name: true,
  key: true,
  description: true,
  event: true,
  dimension: true,
  optimize: true,
  countsFrom: true
})
  .extend({ name: NameInput })
  .strict()

/** The body that creates a metric. */
export const CreateMetric = MetricBody.partial({ description: true, countsFrom: true }).meta({
  id: 'CreateMetric',
  example: {
    name: 'Sign-ups',
    key: 'sign-ups',
    event: 'signed-up',
    dimension: 'COUNT_PER_UNIQUE_USER',
    optimize: 'increase'
  }
})
export type CreateMetric = z.infer<typeof CreateMetric>

/** The body that updates a metric. */
export const UpdateMetric = MetricBody.partial().meta({ id: 'UpdateMetric', example: { optimize: 'decrease' } })
export type UpdateMetric = z.infer<typeof UpdateMetric>

/** The association of a metric with a feature. */
export const MetricAssociation = z
  .object({ _project: Id, feature: Feature, metric: Metric, createdAt: DateTime })
  .meta({
    id: 'MetricAssociation',
    example: { _project: ids.project, feature, metric: purchaseMetric, createdAt }
  })
export type MetricAssociation = z.infer<typeof MetricAssociation>
