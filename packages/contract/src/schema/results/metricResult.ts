import { z } from 'zod'
import { sdkTypes } from '../../operation.ts'
import { DateTime } from '../common/fields.ts'
import { Key } from '../common/key.ts'
import { Metric } from './metric.ts'
import { VariationResult } from './variationResult.ts'

const ByVariation = z.record(z.string(), z.number()).meta({ description: 'By variation key.' })

/** The check for sample ratio mismatch: whether the split of users matches the distribution of the targets. */
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

/** Users who got several of the compared variations. */
export const MultipleExposures = z
  .object({
    users: z.number().meta({ description: 'Users who got one of the variations.' }),
    multiple: z.number().meta({ description: 'Those who got several. They count for each.' }),
    share: z.number(),
    isWarning: z.boolean().meta({ description: 'More than 1%, and at least 10 users.' })
  })
  .meta({ id: 'MultipleExposures' })
export type MultipleExposures = z.infer<typeof MultipleExposures>

/** The selection of a metric result, with the values of omitted parameters. */
export const MetricResultQuery = z
  .object({
    feature: Key,
    metric: Key.exactOptional(),
    ...Metric.pick({ event: true, dimension: true, optimize: true }).shape,
    countsFrom: Metric.shape.countsFrom.unwrap(),
    environments: z.array(Key).meta({ description: 'Keys.' }),
    isPooled: z.boolean().meta({ description: 'Whether several environments were counted together.' }),
    startDate: DateTime,
    endDate: DateTime,
    platform: z.string().exactOptional(),
    sdkType: z.enum(sdkTypes).exactOptional(),
    audience: Key.exactOptional(),
    effect: z.number()
  })
  .meta({ id: 'MetricResultQuery' })
export type MetricResultQuery = z.infer<typeof MetricResultQuery>

/** The time from which a result includes all events. */
export const ResultCoverage = z
  .object({
    since: DateTime,
    isComplete: z.boolean(),
    reason: z.string().exactOptional().meta({ description: 'Why the result is not complete.' })
  })
  .meta({ id: 'ResultCoverage' })
export type ResultCoverage = z.infer<typeof ResultCoverage>

/** The figures of a variation from `startDate` to the end of a day. */
const DayResult = VariationResult.pick({
  key: true,
  numerator: true,
  denominator: true,
  rate: true,
  pValue: true,
  confidenceInterval: true,
  sequentialPValue: true
})

/** The results of a metric for the variations of a feature. */
export const MetricResult = z
  .object({
    result: z.object({
      control: Key.exactOptional().meta({ description: 'Key of the variation that the others are compared with.' }),
      dataSeries: z
        .array(
          z.object({
            date: DateTime,
            values: ByVariation,
            variations: z.array(DayResult).meta({ description: 'In the order of `result.variations`.' })
          })
        )
        .meta({
          description:
            'Cumulative figures since `startDate`, at the end of each UTC day. `values` are rates; variations without a denominator are omitted.'
        }),
      variations: z.array(VariationResult),
      sampleRatio: SampleRatio,
      comparisons: z.number().meta({ description: 'The number of variations that are compared with the control.' }),
      exposures: MultipleExposures,
      coverage: ResultCoverage,
      query: MetricResultQuery,
      warnings: z.array(z.string()).meta({ description: 'Problems that affect how to read the result.' })
    }),
    cached: z.boolean(),
    updatedAt: DateTime
  })
  .meta({
    id: 'MetricResult',
    example: {
      result: {
        control: 'variation-off',
        dataSeries: [
          {
            date: '2026-03-01T00:00:00.000Z',
            values: { 'variation-off': 0.25, 'variation-on': 0.3 },
            variations: [
              {
                key: 'variation-off',
                numerator: 50,
                denominator: 200,
                rate: 0.25,
                pValue: null,
                confidenceInterval: null,
                sequentialPValue: null
              },
              {
                key: 'variation-on',
                numerator: 60,
                denominator: 200,
                rate: 0.3,
                pValue: 0.26,
                confidenceInterval: { low: -0.038, high: 0.137 },
                sequentialPValue: 1
              }
            ]
          }
        ],
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
            sequentialPValue: null,
            adjustedPValue: null,
            adjustedSequentialPValue: null,
            sequentialConfidenceInterval: null,
            relativeSequentialConfidenceInterval: null,
            decision: null,
            decisionReason: null,
            test: null,
            power: null
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
            sequentialPValue: 1,
            adjustedPValue: 0.26,
            adjustedSequentialPValue: 1,
            sequentialConfidenceInterval: { low: -0.106, high: 0.206 },
            relativeSequentialConfidenceInterval: { low: -0.36, high: 1.3 },
            decision: 'undecided',
            decisionReason: 'the always-valid p-value is 1.0; a decision requires a value below 0.05',
            test: 'zTest',
            power: {
              effect: 0.1,
              power: 0.09,
              users: 4972,
              sequentialUsers: 11021,
              minimumDetectableEffect: 0.125,
              minimumDetectableRelativeEffect: 0.5
            }
          }
        ],
        sampleRatio: {
          expected: { 'variation-off': 0.5, 'variation-on': 0.5 },
          observed: { 'variation-off': 200, 'variation-on': 200 },
          pValue: 1,
          isMismatch: false
        },
        comparisons: 1,
        exposures: { users: 400, multiple: 0, share: 0, isWarning: false },
        coverage: { since: '2026-03-01T00:00:00.000Z', isComplete: true },
        query: {
          feature: 'new-checkout',
          metric: 'purchases',
          event: 'purchase',
          dimension: 'COUNT_PER_UNIQUE_USER',
          optimize: 'increase',
          countsFrom: 'firstExposure',
          environments: ['production'],
          isPooled: false,
          startDate: '2026-03-01T00:00:00.000Z',
          endDate: '2026-03-02T00:00:00.000Z',
          effect: 0.1
        },
        warnings: []
      },
      cached: false,
      updatedAt: '2026-03-02T00:00:00.000Z'
    }
  })
export type MetricResult = z.infer<typeof MetricResult>
