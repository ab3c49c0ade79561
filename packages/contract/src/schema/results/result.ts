import { z } from 'zod'
import { sdkTypes } from '../../operation.ts'
import { DateTime, EpochTime } from '../common/fields.ts'

const computed = {
  cached: z.boolean().meta({ description: 'Always false.' }),
  updatedAt: DateTime.meta({ description: 'The time up to which evaluations are included.' }),
  isPooled: z.literal(true).exactOptional().meta({ description: 'Several environments are counted together.' })
} as const

const date = DateTime.meta({
  description: 'The start of the period, in UTC. The first and last period include only what is in the range.'
})

/** The number of evaluations of each variation of a feature, per period. */
export const FeatureEvaluations = z
  .object({
    result: z.object({
      evaluations: z.array(
        z.object({
          date,
          values: z.record(z.string(), z.number()).meta({
            description:
              'By variation key. `default` counts evaluations without a variation, in which the application used its default value. Deleted variations, and a variation with the key `default`, have their id instead. The sum is the number of all evaluations of the feature.'
          })
        })
      )
    }),
    ...computed
  })
  .meta({
    id: 'FeatureEvaluations',
    example: {
      result: { evaluations: [{ date: '2026-03-01T12:00:00.000Z', values: { 'variation-on': 120, default: 3 } }] },
      cached: false,
      updatedAt: '2026-03-01T13:00:00.000Z'
    }
  })
export type FeatureEvaluations = z.infer<typeof FeatureEvaluations>

/** The number of evaluations or users of a project, per period. */
export const ProjectEvaluations = z
  .object({
    result: z.object({
      evaluations: z.array(z.object({ date, value: z.number() }))
    }),
    ...computed
  })
  .meta({
    id: 'ProjectEvaluations',
    example: {
      result: { evaluations: [{ date: '2026-03-01T12:00:00.000Z', value: 123 }] },
      cached: false,
      updatedAt: '2026-03-01T13:00:00.000Z'
    }
  })
export type ProjectEvaluations = z.infer<typeof ProjectEvaluations>

/** The evaluations to count, and the length of periods. */
export const EvaluationsQuery = z.strictObject({
  startDate: EpochTime.optional().meta({
    description:
      'Epoch milliseconds. Default: 24 hours, 30 days or 12 months before `endDate`, depending on `period`. Evaluations are counted by the hour; the range is extended to whole hours.'
  }),
  endDate: EpochTime.optional().meta({ description: 'Epoch milliseconds. Default: now.' }),
  environment: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .meta({ description: 'Key or id. Default: all that the project has now.' }),
  period: z.enum(['day', 'hour', 'month']).optional().meta({ description: 'By hour, day or month. Default: hour.' }),
  sdkType: z.enum(sdkTypes).optional().meta({
    description:
      'The source of evaluations: `sdkType` of the user, else the type of the SDK key; `api` for requests to this server.'
  })
})
export type EvaluationsQuery = z.infer<typeof EvaluationsQuery>
