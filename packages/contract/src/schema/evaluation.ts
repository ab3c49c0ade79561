import { z } from 'zod'
import { evalReason, feature, variable, variationOn } from './examples/checkout.ts'
import { ids } from './examples/shop.ts'
import { Json } from './json.ts'

/** Why a user got a value. */
export const EvalReason = z
  .object({
    reason: z.enum(['TARGETING_MATCH', 'SPLIT', 'OVERRIDE', 'DEFAULT', 'STATIC', 'OPT_IN', 'DISABLED', 'ERROR']),
    details: z.string().exactOptional().meta({ description: 'The filters that decided.', example: evalReason.details }),
    target_id: z.string().exactOptional().meta({ description: 'Id of the targeting rule that matched.' })
  })
  .meta({ id: 'EvalReason', example: evalReason })

/** A variable as one user gets it. */
export const BucketedVariable = z
  .object({
    _id: z.string(),
    _feature: z.string().exactOptional().meta({ description: 'Id of the feature that serves it.' }),
    key: z.string(),
    type: z.enum(['String', 'Boolean', 'Number', 'JSON']),
    value: Json,
    eval: EvalReason.exactOptional()
  })
  .meta({
    id: 'BucketedVariable',
    example: {
      _id: ids.variable,
      _feature: ids.feature,
      key: variable.key,
      type: variable.type,
      value: true,
      eval: evalReason
    }
  })
export type BucketedVariable = z.infer<typeof BucketedVariable>

/** A feature as one user gets it. */
export const BucketedFeature = z
  .object({
    _id: z.string(),
    key: z.string(),
    type: z.enum(['release', 'experiment', 'permission', 'ops']),
    _variation: z.string().meta({ description: 'Id of the variation the user gets.' }),
    variationName: z.string().exactOptional(),
    variationKey: z.string().exactOptional(),
    settings: z.record(z.string(), Json).exactOptional(),
    eval: EvalReason.exactOptional()
  })
  .meta({
    id: 'BucketedFeature',
    example: {
      _id: ids.feature,
      key: feature.key,
      type: feature.type,
      _variation: ids.variationOn,
      variationName: variationOn.name,
      variationKey: variationOn.key,
      eval: evalReason
    }
  })
export type BucketedFeature = z.infer<typeof BucketedFeature>
