import { z } from 'zod'
import { DateTime, Name } from './fields.ts'
import { Key } from './key.ts'

const ByVariation = z.record(z.string(), z.number()).meta({ description: 'From key of the variation to number.' })

/** How one variation fares by a metric. */
export const VariationResult = z
  .object({
    key: Key,
    name: Name,
    numerator: z.number(),
    denominator: z.number(),
    rate: z.number(),
    avgValue: z.number().exactOptional(),
    totalValue: z.number().exactOptional(),
    stdev: z.number().exactOptional(),
    percentDifference: z
      .number()
      .nullable()
      .meta({ description: 'Compared with the control; null for the control itself.' }),
    chanceToBeatControl: z.number().nullable().meta({ description: 'Null for the control itself.' })
  })
  .meta({ id: 'VariationResult' })
export type VariationResult = z.infer<typeof VariationResult>

/** How the variations of a feature fare by a metric. */
export const MetricResult = z
  .object({
    result: z.object({
      dataSeries: z.array(z.object({ date: DateTime, values: ByVariation })),
      variations: z.array(VariationResult)
    }),
    cached: z.boolean(),
    updatedAt: DateTime
  })
  .meta({
    id: 'MetricResult',
    example: {
      result: {
        dataSeries: [{ date: '2026-03-01T00:00:00.000Z', values: { 'variation-off': 0.25, 'variation-on': 0.3 } }],
        variations: [
          {
            key: 'variation-off',
            name: 'Variation Off',
            numerator: 50,
            denominator: 200,
            rate: 0.25,
            percentDifference: null,
            chanceToBeatControl: null
          },
          {
            key: 'variation-on',
            name: 'Variation On',
            numerator: 60,
            denominator: 200,
            rate: 0.3,
            percentDifference: 0.2,
            chanceToBeatControl: 0.87
          }
        ]
      },
      cached: false,
      updatedAt: '2026-03-02T00:00:00.000Z'
    }
  })
export type MetricResult = z.infer<typeof MetricResult>
