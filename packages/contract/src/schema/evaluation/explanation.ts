import { z } from 'zod'
import { DateTime, Json, Reference } from '../common/fields.ts'
import { evalReason, target, variable, variationOn } from '../examples/checkout.ts'
import { createdAt, ids } from '../examples/shop.ts'
import { FeatureStatus } from '../features/featureFields.ts'
import { UpdateFeature } from '../features/featureInput.ts'
import { EvalReason } from './evaluation.ts'
import { User } from './user.ts'

/** The maximum number of keys in one request for an explanation. */
const MAX_EXPLAINED_KEYS = 100

/** The body of a request to explain the evaluations of a user. */
export const ExplainRequest = z
  .strictObject({
    user: User.meta({ description: 'The user as evaluations name it. Nothing of it is stored or counted.' }),
    feature: Reference.exactOptional().meta({ description: 'Key or id of a feature to explain.' }),
    variable: Reference.exactOptional().meta({ description: 'Key or id of a variable to explain, with its feature.' }),
    keys: z
      .array(Reference)
      .min(1, 'should have at least one key')
      .max(MAX_EXPLAINED_KEYS)
      .exactOptional()
      .meta({
        description: `Keys or ids of further features and variables. At most ${MAX_EXPLAINED_KEYS}.`
      }),
    draft: UpdateFeature.exactOptional().meta({
      description: 'An update of `feature` that is validated and applied for this explanation only.'
    }),
    at: DateTime.exactOptional().meta({
      description:
        'Explain `feature` as it was at this time, or as its schedules will serve it then. Audiences, custom properties and opt-in choices are the current ones; overrides have no effect.'
    })
  })
  .refine(({ feature, draft }) => draft === undefined || feature !== undefined, {
    path: ['feature'],
    error: 'should name the feature that draft updates'
  })
  .refine(({ feature, at }) => at === undefined || feature !== undefined, {
    path: ['feature'],
    error: 'should name the feature to explain at another time'
  })
  .refine(({ draft, at }) => at === undefined || draft === undefined, {
    path: ['at'],
    error: 'should be left out for a draft, which changes the current feature'
  })
  .meta({ id: 'ExplainRequest', example: { user: { user_id: 'ada', country: 'CA' }, feature: variable.key } })
export type ExplainRequest = z.infer<typeof ExplainRequest>

const Named = z.object({ _id: z.string(), key: z.string(), name: z.string() })

/** A filter of a target, and whether the user matches it. */
export const ExplainedFilter = z
  .object({
    filter: z.record(z.string(), Json).meta({ description: 'The filter, as the target has it.' }),
    isMatched: z.boolean(),
    audiences: z.array(Named).exactOptional().meta({ description: 'The audiences that the filter refers to.' })
  })
  .meta({ id: 'ExplainedFilter' })
export type ExplainedFilter = z.infer<typeof ExplainedFilter>

/** An operator with its members, and whether the user matches it. */
export interface ExplainedOperator {
  operator: 'and' | 'or'
  isMatched: boolean
  filters: (ExplainedFilter | ExplainedOperator)[]
}

/** All members are matched, even where an evaluation would stop earlier. */
export const ExplainedOperator: z.ZodType<ExplainedOperator> = z
  .object({
    operator: z.enum(['and', 'or']),
    isMatched: z.boolean(),
    get filters() {
      return z.array(z.union([ExplainedFilter, ExplainedOperator]))
    }
  })
  .meta({ id: 'ExplainedOperator' })

const ExplainedRollout = z.object({
  percentage: z
    .number()
    .exactOptional()
    .meta({ description: 'The share of users that the rollout includes now, from 0 to 1.' }),
  position: z.number().exactOptional().meta({ description: 'The position of the user, from 0 to 1.' }),
  isAdmitted: z.boolean()
})

/** How one target applies to the user. */
export const ExplainedTarget = z
  .object({
    _id: z.string(),
    name: z.string().exactOptional(),
    isReached: z.boolean().meta({ description: 'Whether the evaluation reached the target.' }),
    isChosen: z.boolean().meta({ description: 'Whether the target serves the user.' }),
    isMatched: z.boolean().meta({ description: 'Whether the user matches its filters.' }),
    filters: ExplainedOperator,
    bucketingValue: z
      .string()
      .exactOptional()
      .meta({ description: 'The value that is hashed: the user id, or that of the bucketing key.' }),
    rollout: ExplainedRollout.exactOptional(),
    distribution: z.object({
      position: z.number().exactOptional().meta({ description: 'The position of the user, from 0 to 1.' }),
      ranges: z.array(
        z.object({
          _variation: z.string(),
          key: z.string().exactOptional(),
          name: z.string().exactOptional(),
          from: z.number(),
          to: z.number(),
          isHit: z.boolean().meta({ description: 'Whether the position of the user is in the range.' })
        })
      )
    })
  })
  .meta({ id: 'ExplainedTarget' })
export type ExplainedTarget = z.infer<typeof ExplainedTarget>

/** Why the first target of a feature does not serve the user. */
export const MissedTarget = z
  .object({
    _id: z.string(),
    name: z.string().exactOptional(),
    filter: ExplainedFilter.exactOptional().meta({
      description: 'The first filter that the user must match and does not. Absent if one of several would do.'
    }),
    rollout: ExplainedRollout.exactOptional().meta({
      description: 'The rollout, if the user matches the filters and the rollout does not include the user.'
    }),
    further: z.int().min(0).meta({ description: 'The number of further targets, none of which serves the user.' })
  })
  .meta({ id: 'MissedTarget' })
export type MissedTarget = z.infer<typeof MissedTarget>

/** What a user gets of one feature, and why. */
export const ExplainedFeature = z
  .object({
    ...Named.shape,
    status: FeatureStatus,
    outcome: z.enum(['served', 'overridden', 'unserved', 'disabled', 'failed']).meta({
      description:
        '`disabled`: off in the environment, or archived. `unserved`: no target serves the user. `failed`: see `problem`.'
    }),
    reason: EvalReason,
    variation: Named.exactOptional(),
    target: Named.omit({ key: true })
      .partial({ name: true })
      .exactOptional()
      .meta({ description: 'The target that serves the user.' }),
    missed: MissedTarget.exactOptional().meta({
      description: 'The first target, if the outcome is `unserved` and the feature has targets.'
    }),
    variables: z
      .array(Named.omit({ name: true }).extend({ type: z.string(), value: Json }))
      .meta({ description: 'The values that the user gets; empty without a variation.' }),
    problem: z.object({ code: z.string(), message: z.string(), target: z.string().exactOptional() }).exactOptional(),
    targets: z
      .array(ExplainedTarget)
      .exactOptional()
      .meta({ description: 'All targets in order, for features that the request names.' })
  })
  .meta({ id: 'ExplainedFeature' })
export type ExplainedFeature = z.infer<typeof ExplainedFeature>

/** What a user gets of one variable. */
export const ExplainedVariable = z
  .object({
    ...Named.omit({ name: true }).shape,
    type: z.string(),
    outcome: ExplainedFeature.shape.outcome.meta({ description: 'The outcome of its feature.' }),
    value: Json.exactOptional().meta({ description: 'Absent where the application uses its default.' }),
    feature: Named.exactOptional()
  })
  .meta({ id: 'ExplainedVariable' })
export type ExplainedVariable = z.infer<typeof ExplainedVariable>

/** What a user gets in one environment, and why. */
export const Explanation = z
  .object({
    at: DateTime.meta({ description: 'The time of the evaluation.' }),
    environment: Named,
    features: z.array(ExplainedFeature).meta({
      description: 'The named features and those of the named variables; all of the project if none is named.'
    }),
    variables: z.array(ExplainedVariable).meta({ description: 'The named variables.' })
  })
  .meta({
    id: 'Explanation',
    example: {
      at: createdAt,
      environment: { _id: ids.production, key: 'production', name: 'Production' },
      features: [
        {
          _id: ids.feature,
          key: variable.key,
          name: variable.name,
          status: 'active',
          outcome: 'served',
          reason: evalReason,
          variation: { _id: variationOn._id, key: variationOn.key, name: variationOn.name },
          target: { _id: target._id, name: target.name },
          variables: [{ _id: ids.variable, key: variable.key, type: variable.type, value: true }]
        }
      ],
      variables: []
    }
  })
export type Explanation = z.infer<typeof Explanation>
