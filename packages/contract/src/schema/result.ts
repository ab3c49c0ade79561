import { z } from 'zod'
import { DateTime, EpochTime } from './fields.ts'

const computed = { cached: z.boolean(), updatedAt: DateTime } as const

/** How often each variation of a feature was served, period by period. */
export const FeatureEvaluations = z
  .object({
    result: z.object({
      evaluations: z.array(
        z.object({
          date: DateTime.meta({ description: 'The start of the period.' }),
          values: z.record(z.string(), z.number()).meta({
            description: 'From key of the variation to number; `default` counts those who got none.'
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
      evaluations: z.array(
        z.object({ date: DateTime.meta({ description: 'The start of the period.' }), value: z.number() })
      )
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
    description: 'Epoch milliseconds. Default: 24 hours, 30 days or 12 months before `endDate`.'
  }),
  endDate: EpochTime.optional().meta({ description: 'Epoch milliseconds. Default: now.' }),
  environment: z.string().min(1).max(100).optional().meta({ description: 'Its key or its id. Default: all.' }),
  period: z.enum(['day', 'hour', 'month']).optional().meta({ description: 'Default: hour.' }),
  sdkType: z.enum(['client', 'server', 'mobile', 'api']).optional()
})
export type EvaluationsQuery = z.infer<typeof EvaluationsQuery>
