import { z } from 'zod'
import { DateTime, Name } from '../common/fields.ts'
import { Key } from '../common/key.ts'

const ByVariation = z.record(z.string(), z.number()).meta({ description: 'By variation key.' })

/** A value that exists only for variations that can be compared with the control. */
const compared = <Value extends z.ZodType>(value: Value, description: string) =>
  value.nullable().meta({ description: `${description} Null for the control, and if it cannot be computed.` })

/** A 95 % confidence interval. */
const Interval = z.object({ low: z.number(), high: z.number() })

/** The result of a metric for one variation. */
export const VariationResult = z
  .object({
    key: Key,
    name: Name,
    numerator: z.number(),
    denominator: z.number(),
    rate: z.number().meta({ description: 'Numerator divided by denominator, or 0 if the denominator is 0.' }),
    avgValue: z
      .number()
      .exactOptional()
      .meta({ description: 'The mean that is compared, for dimensions with values.' }),
    totalValue: z.number().exactOptional().meta({ description: 'The sum of all values, for dimensions with values.' }),
    stdev: z
      .number()
      .exactOptional()
      .meta({ description: 'The standard deviation of the values whose mean is `avgValue`.' }),
    percentDifference: compared(z.number(), 'Relative difference from the rate of the control: 0.2 is 20 % more.'),
    chanceToBeatControl: compared(
      z.number(),
      'Probability that the variation is better than the control, in the direction of `optimize`.'
    ),
    pValue: compared(
      z.number(),
      'p-value of the difference. Valid for a single look at a time that was chosen in advance.'
    ),
    isSignificant: compared(z.boolean(), 'Whether `pValue` is below 0.05.'),
    confidenceInterval: compared(Interval, '95 % confidence interval of the difference of the rates.'),
    relativeConfidenceInterval: compared(Interval, 'The same interval relative to the rate of the control.'),
    sequentialPValue: compared(
      z.number(),
      'Always-valid p-value, for any number of looks: the smallest at the end of a day since `startDate`.'
    ),
    reason: z
      .string()
      .exactOptional()
      .meta({ description: 'The reason why the variation cannot be compared with the control.' })
  })
  .meta({ id: 'VariationResult' })
export type VariationResult = z.infer<typeof VariationResult>

/** The check for sample ratio mismatch: whether users were split as the targets say. */
export const SampleRatio = z
  .object({
    expected: ByVariation.nullable().meta({
      description: 'Expected shares, from the targets that are on now; null if they disagree.'
    }),
    observed: ByVariation.meta({ description: 'Number of users per variation.' }),
    pValue: z.number().nullable().meta({
      description: 'p-value of the deviation from the expected shares; null if unknown.'
    }),
    isMismatch: z
      .boolean()
      .nullable()
      .meta({ description: 'Whether `pValue` is below 0.001. The results are then not reliable.' }),
    reason: z.string().exactOptional().meta({ description: 'The reason why the check was not possible.' })
  })
  .meta({ id: 'SampleRatio' })
export type SampleRatio = z.infer<typeof SampleRatio>

/** The results of a metric for the variations of a feature. */
export const MetricResult = z
  .object({
    result: z.object({
      control: Key.exactOptional().meta({ description: 'Key of the variation that the others are compared with.' }),
      dataSeries: z.array(z.object({ date: DateTime, values: ByVariation })).meta({
        description:
          'Cumulative rates since `startDate`, at the end of each UTC day. Variations without a denominator are omitted.'
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
