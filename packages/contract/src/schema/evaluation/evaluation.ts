import { z } from 'zod'
import { Json } from '../common/fields.ts'
import { Metadata } from '../common/metadata.ts'
import { bucketedFeature, bucketedVariable, evalReason } from '../examples/checkout.ts'

/** Why a user gets a value (docs/reference/evaluation.md). */
export const EvalReason = z
  .object({
    reason: z.enum(['TARGETING_MATCH', 'SPLIT', 'OVERRIDE', 'DEFAULT', 'STATIC', 'OPT_IN', 'DISABLED', 'ERROR']),
    details: z.string().exactOptional().meta({ description: 'The filters that matched.', example: evalReason.details }),
    target_id: z.string().exactOptional().meta({ description: 'Id of the target that matched.' })
  })
  .meta({ id: 'EvalReason', example: evalReason })

/** A variable, evaluated for one user. */
export const BucketedVariable = z
  .object({
    _id: z.string(),
    _feature: z.string().exactOptional().meta({ description: 'Id of the feature that serves the variable.' }),
    key: z.string(),
    type: z.enum(['String', 'Boolean', 'Number', 'JSON']),
    metadata: Metadata.exactOptional(),
    value: Json,
    eval: EvalReason.exactOptional()
  })
  .meta({
    id: 'BucketedVariable',
    example: bucketedVariable
  })
export type BucketedVariable = z.infer<typeof BucketedVariable>

/** A feature, evaluated for one user. */
export const BucketedFeature = z
  .object({
    _id: z.string(),
    key: z.string(),
    type: z.enum(['release', 'experiment', 'permission', 'ops']),
    _variation: z.string().meta({ description: 'Id of the variation that the user gets.' }),
    variationName: z.string().exactOptional(),
    variationKey: z.string().exactOptional(),
    settings: z.record(z.string(), Json).exactOptional(),
    eval: EvalReason.exactOptional()
  })
  .meta({
    id: 'BucketedFeature',
    example: bucketedFeature
  })
export type BucketedFeature = z.infer<typeof BucketedFeature>
