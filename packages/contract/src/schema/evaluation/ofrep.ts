import type * as core from '@burgee/core'
import { z } from 'zod'
import { Json } from '../common/fields.ts'
import { bucketedUserConfig } from '../examples/checkout.ts'
import { EventStream } from './stream.ts'
import { isWithinAttributeLimit, MAX_ATTRIBUTES } from './user.ts'
import { UserHash } from './userHash.ts'

/**
 * An OpenFeature evaluation context. Its other members may have any JSON type; they become attributes of the user. The
 * conversion to a user checks the targeting key, so that a wrong one fails with the same message as in process.
 * `userHash` never becomes an attribute.
 */
export const EvaluationContext = z
  .looseObject({
    targetingKey: z.unknown().meta({ type: 'string' }).optional(),
    userHash: z
      .unknown()
      .meta({ type: 'string', description: UserHash.description ?? '' })
      .optional()
  })
  .refine(
    hasFewAttributes,
    `should have at most ${MAX_ATTRIBUTES} members, and so should its customData and privateCustomData`
  )
  .meta({
    id: 'EvaluationContext',
    maxProperties: MAX_ATTRIBUTES,
    example: { targetingKey: 'ada', country: 'CA', plan: 'pro' }
  })

/** The body of OFREP evaluations. */
export const EvaluationRequest = z
  .looseObject({ context: EvaluationContext.optional() })
  .meta({ id: 'EvaluationRequest', example: { context: { targetingKey: 'ada', country: 'CA' } } })

export type EvaluationRequest = z.infer<typeof EvaluationRequest>

/** Whether `EvaluationRequest` accepts a value unchanged. Several times as fast as the schema. */
export function isPlainEvaluationRequest(value: unknown): value is EvaluationRequest {
  if (!isObject(value) || !('context' in value)) return false
  return isObject(value.context) && hasFewAttributes(value.context)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function hasFewAttributes(context: Readonly<Record<string, unknown>>): boolean {
  return [context, context.customData, context.privateCustomData].every(isWithinAttributeLimit)
}

/** The metadata of the variable, and that of its evaluation. */
const FlagMetadata = z.record(z.string(), z.union([z.boolean(), z.string(), z.number()]))

/** An evaluated flag. Without `value`, the application uses its default value. */
export const EvaluationSuccess = z
  .object({
    key: z.string(),
    reason: z.string().meta({ examples: ['STATIC', 'TARGETING_MATCH', 'SPLIT', 'DEFAULT', 'DISABLED'] }),
    value: Json.exactOptional(),
    variant: z.string().exactOptional(),
    metadata: FlagMetadata.exactOptional()
  })
  .meta({ id: 'EvaluationSuccess', example: bucketedUserConfig }) satisfies z.ZodType<core.OfrepSuccess>

/** The error of one flag. */
export const EvaluationFailure = z
  .object({
    key: z.string(),
    errorCode: z.enum(['PARSE_ERROR', 'TARGETING_KEY_MISSING', 'INVALID_CONTEXT', 'FLAG_NOT_FOUND', 'GENERAL']),
    errorDetails: z.string().exactOptional()
  })
  .meta({
    id: 'EvaluationFailure',
    example: {
      key: 'new-checkot',
      errorCode: 'FLAG_NOT_FOUND',
      errorDetails: 'flag "new-checkot" does not exist'
    }
  })
export type EvaluationFailure = z.infer<typeof EvaluationFailure>

/** The flag set and the version of a bulk evaluation, under the names that OpenFeature's telemetry reads. */
const FlagSetMetadata = z.object({
  flagSetId: z
    .string()
    .meta({ description: 'The keys of the project and the environment, such as `shop/production`.' }),
  version: z.string().meta({ description: 'The version of the config; the ETag of the config document contains it.' })
})

/** The evaluations of all flags. */
export const BulkEvaluation = z
  .object({
    flags: z.array(z.union([EvaluationSuccess, EvaluationFailure])),
    metadata: FlagSetMetadata,
    eventStreams: z.array(EventStream).exactOptional()
  })
  .meta({
    id: 'BulkEvaluation',
    example: {
      flags: [bucketedUserConfig],
      metadata: { flagSetId: 'shop/production', version: '1772366400-65f1b2c3d4e5f60718293a4b' }
    }
  })

export type BulkEvaluation = z.infer<typeof BulkEvaluation>

/** The error of a bulk evaluation. */
export const BulkFailure = z.object({ errorCode: z.string(), errorDetails: z.string().exactOptional() }).meta({
  id: 'BulkFailure',
  example: {
    errorCode: 'TARGETING_KEY_MISSING',
    errorDetails: 'the evaluation context has no targetingKey, user_id or userId'
  }
})
export type BulkFailure = z.infer<typeof BulkFailure>
