import { z } from 'zod'
import { DateTime, Name } from './fields.ts'
import { Key } from './key.ts'

const ByVariation = z.record(z.string(), z.number()).meta({ description: 'From key of the variation to number.' })

/** What is only told of a variation that can be compared with the control. */
const compared = <Value extends z.ZodType>(value: Value, description: string) =>
  value.nullable().meta({ description: `${description} Null for the control itself, and where nothing can be said.` })

/** Where a figure lies, with 95 % confidence. */
const Interval = z.object({ low: z.number(), high: z.number() })

/** How one variation fares by a metric. */
export const VariationResult = z
  .object({
    key: Key,
    name: Name,
    numerator: z.number(),
    denominator: z.number(),
    rate: z.number().meta({ description: 'The numerator divided by the denominator; 0 while there is none.' }),
    avgValue: z.number().exactOptional().meta({ description: 'The mean that is compared, of dimensions of values.' }),
    totalValue: z.number().exactOptional().meta({ description: 'The sum of all values, of dimensions of values.' }),
    stdev: z.number().exactOptional().meta({ description: 'How far what avgValue is the mean of varies.' }),
    percentDifference: compared(
      z.number(),
      'How much the rate differs from that of the control, as a share of it: 0.2 is a fifth more.'
    ),
    chanceToBeatControl: compared(z.number(), 'How likely it is the better one, by what the metric optimizes.'),
    pValue: compared(
      z.number(),
      'How likely a difference at least as large would be if there were none. It is true for one look, at a time that was chosen beforehand.'
    ),
    isSignificant: compared(z.boolean(), 'Whether pValue is below 0.05.'),
    confidenceInterval: compared(Interval, 'Where the difference of the rates lies, with 95 % confidence.'),
    relativeConfidenceInterval: compared(Interval, 'The same as a share of the rate of the control.'),
    sequentialPValue: compared(
      z.number(),
      'As pValue, and true however often somebody looks: the smallest at the end of a day since startDate.'
    ),
    reason: z
      .string()
      .exactOptional()
      .meta({ description: 'Why it cannot be compared with the control, where it cannot.' })
  })
  .meta({ id: 'VariationResult' })
export type VariationResult = z.infer<typeof VariationResult>

/** Whether users were split between variations as the targets say. */
export const SampleRatio = z
  .object({
    expected: ByVariation.nullable().meta({
      description: 'Their shares by the targets that are switched on now; null where these do not agree.'
    }),
    observed: ByVariation.meta({ description: 'How many users got each of them.' }),
    pValue: z.number().nullable().meta({
      description: 'How likely numbers so far from the shares would be by chance; null where that is unknown.'
    }),
    isMismatch: z
      .boolean()
      .nullable()
      .meta({ description: 'Whether pValue is below 0.001: then the result is not to be trusted.' }),
    reason: z.string().exactOptional().meta({ description: 'Why nothing can be said.' })
  })
  .meta({ id: 'SampleRatio' })
export type SampleRatio = z.infer<typeof SampleRatio>

/** How the variations of a feature fare by a metric. */
export const MetricResult = z
  .object({
    result: z.object({
      control: Key.exactOptional().meta({ description: 'Of the variation that the others are compared with.' }),
      dataSeries: z.array(z.object({ date: DateTime, values: ByVariation })).meta({
        description:
          'The rates from startDate until the end of each day in UTC that has begun, of the variations that have a denominator.'
      }),
      variations: z.array(VariationResult),
      sampleRatio: SampleRatio
    }),
    cached: z.boolean(),
    updatedAt: DateTime
  })
  .meta({
    id: 'MetricResult',
    example: {
      result: {
        control: 'variation-off',
        dataSeries: [{ date: '2026-03-01T00:00:00.000Z', values: { 'variation-off': 0.25, 'variation-on': 0.3 } }],
        variations: [
          {
            key: 'variation-off',
            name: 'Variation Off',
            numerator: 50,
            denominator: 200,
            rate: 0.25,
            percentDifference: null,
            chanceToBeatControl: null,
            pValue: null,
            isSignificant: null,
            confidenceInterval: null,
            relativeConfidenceInterval: null,
            sequentialPValue: null
          },
          {
            key: 'variation-on',
            name: 'Variation On',
            numerator: 60,
            denominator: 200,
            rate: 0.3,
            percentDifference: 0.2,
            chanceToBeatControl: 0.87,
            pValue: 0.26,
            isSignificant: false,
            confidenceInterval: { low: -0.038, high: 0.137 },
            relativeConfidenceInterval: { low: -0.127, high: 0.653 },
            sequentialPValue: 1
          }
        ],
        sampleRatio: {
          expected: { 'variation-off': 0.5, 'variation-on': 0.5 },
          observed: { 'variation-off': 200, 'variation-on': 200 },
          pValue: 1,
          isMismatch: false
        }
      },
      cached: false,
      updatedAt: '2026-03-02T00:00:00.000Z'
    }
  })
export type MetricResult = z.infer<typeof MetricResult>
