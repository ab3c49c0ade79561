import { z } from 'zod'
import { DateTime, EpochTime } from './fields.ts'

const computed = {
  cached: z.boolean().meta({ description: 'Always false: evaluations are counted anew for each answer.' }),
  updatedAt: DateTime.meta({ description: 'The moment up to which evaluations are in the answer.' })
} as const

const date = DateTime.meta({
  description:
    'The start of the period, in UTC. Of the first and the last period, only as much as is in the range counts.'
})

/** How often each variation of a feature was served, period by period. */
export const FeatureEvaluations = z
  .object({
    result: z.object({
      evaluations: z.array(
        z.object({
          date,
          values: z.record(z.string(), z.number()).meta({
            description:
              'From key of the variation to number; `default` counts evaluations that gave none, so that the application used its own value. A variation that is gone, or whose key is `default`, goes by its id. Together they are all evaluations of the feature.'
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

/** How much was evaluated in a project, period by period. */
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

/** Which evaluations are counted, and how finely. */
export const EvaluationsQuery = z.object({
  startDate: EpochTime.optional().meta({
    description:
      'Epoch milliseconds. Default: 24 hours, 30 days or 12 months before `endDate`. Evaluations are counted by the hour: every hour that the range touches counts whole.'
  }),
  endDate: EpochTime.optional().meta({ description: 'Epoch milliseconds. Default: now.' }),
  environment: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .meta({ description: 'Its key or its id. Default: all that the project has now.' }),
  period: z.enum(['day', 'hour', 'month']).optional().meta({ description: 'Default: hour.' }),
  sdkType: z.enum(['client', 'server', 'mobile', 'api']).optional().meta({
    description:
      'Where evaluations come from: what the user says, else the type of the key that reports came with; `api` for requests to this server.'
  })
})
export type EvaluationsQuery = z.infer<typeof EvaluationsQuery>
