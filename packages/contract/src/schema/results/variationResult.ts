import { z } from 'zod'
import { Name } from '../common/fields.ts'
import { Key } from '../common/key.ts'

/** A value that exists only for variations that can be compared with the control. */
const compared = <Value extends z.ZodType>(value: Value, description: string) =>
  value.nullable().meta({ description: `${description} Null for the control, and if it cannot be computed.` })

/** A 95% confidence interval. */
const Interval = z.object({ low: z.number(), high: z.number() })

/** The power of a comparison with a number of users. */
export const ComparisonPower = z.object({
  effect: z.number().meta({ description: 'A difference relative to the control, from the query.' }),
  power: z.number().nullable().meta({
    description: 'The probability that the fixed-horizon test detects `effect` with the users so far.'
  }),
  users: z.number().nullable().meta({
    description: 'The number of users of both variations for a power of 80%, at the split so far.'
  }),
  sequentialUsers: z
    .number()
    .nullable()
    .meta({ description: 'The same for the always-valid test with a single analysis.' }),
  minimumDetectableEffect: z.number().nullable().meta({
    description: 'The smallest difference that is detected with a power of 80% and the users so far.'
  }),
  minimumDetectableRelativeEffect: z.number().nullable().meta({ description: 'The same relative to the control.' })
})
export type ComparisonPower = z.infer<typeof ComparisonPower>

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
    percentDifference: compared(z.number(), 'Relative difference from the rate of the control: 0.2 is 20% more.'),
    chanceToBeatControl: compared(
      z.number(),
      'Probability that the variation is better than the control, in the direction of `optimize`.'
    ),
    pValue: compared(
      z.number(),
      'p-value of the difference. Valid for a single analysis at a time that was chosen in advance.'
    ),
    isSignificant: compared(z.boolean(), 'Whether `pValue` is below 0.05.'),
    confidenceInterval: compared(Interval, '95% confidence interval of the difference of the rates.'),
    relativeConfidenceInterval: compared(Interval, 'The same interval relative to the rate of the control.'),
    sequentialPValue: compared(
      z.number(),
      'Always-valid p-value, for any number of analyses: the smallest at the end of a day since `startDate`.'
    ),
    adjustedPValue: compared(z.number(), '`pValue`, adjusted for the number of comparisons (Holm).'),
    adjustedSequentialPValue: compared(
      z.number(),
      '`sequentialPValue`, adjusted for the number of comparisons (Holm). `decision` is based on it.'
    ),
    sequentialConfidenceInterval: compared(
      Interval,
      '95% confidence interval of the difference that is valid for any number of analyses. Not adjusted.'
    ),
    relativeSequentialConfidenceInterval: compared(Interval, 'The same interval relative to the rate of the control.'),
    decision: compared(
      z.enum(['better', 'worse', 'undecided', 'invalid']),
      'The conclusion of the always-valid test, for any number of analyses.'
    ),
    decisionReason: compared(z.string(), 'Why, in one sentence.'),
    test: compared(z.enum(['zTest', 'fisherExactTest', 'welchTest']), 'The test that computed `pValue`.'),
    power: compared(ComparisonPower, 'Power and sample size.'),
    reason: z.string().exactOptional().meta({ description: 'The reason why members are null.' }),
    usersNeeded: z.number().exactOptional().meta({
      description: 'The estimated number of users of both variations that a comparison requires.'
    }),
    warning: z.string().exactOptional().meta({ description: 'Why p-values and intervals are not valid.' })
  })
  .meta({ id: 'VariationResult' })
export type VariationResult = z.infer<typeof VariationResult>
