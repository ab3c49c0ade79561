import type * as core from '@burgee/core'
import { z } from 'zod'
import { sdkKeyTypes, sdkTypes } from '../../operation.ts'
import { DateTime } from '../common/fields.ts'
import { AllowedNetworks, AllowedOrigins, ExpiresAt } from '../common/restrictions.ts'
import { feature, variable } from '../examples/checkout.ts'
import { createdAt, ids, sdkProject } from '../examples/shop.ts'
import { SdkProject } from '../projects/project.ts'
import { ConfigDocument } from './configDocument.ts'
import { MAX_IDEMPOTENCY_KEY_LENGTH, MAX_USER_ID_LENGTH } from './event.ts'

const KeyType = z.enum(sdkKeyTypes)

/** An SDK key, by its digest, so that the document reveals no secret. */
const EdgeKey = z
  .object({
    digest: z.string().meta({ description: 'SHA-256 of the key, in Base64.' }),
    keyType: KeyType,
    key: z.string().exactOptional().meta({ description: 'The key itself; only client keys, which are public.' }),
    createdAt: DateTime,
    expiresAt: ExpiresAt.exactOptional(),
    compromised: z.boolean().exactOptional(),
    allowedNetworks: AllowedNetworks.exactOptional(),
    allowedOrigins: AllowedOrigins.exactOptional()
  })
  .meta({ id: 'EdgeKey' })

const EvaluatedConfig = ConfigDocument.omit({ variableHashes: true, debugUsers: true, sse: true })

const document = {
  project: sdkProject,
  environment: { _id: ids.production, key: 'production' },
  features: [],
  variables: [{ _id: ids.variable, key: variable.key, type: variable.type }],
  audiences: {}
}

/** Everything that evaluations in one environment read: the configs by type of key, and the keys. */
export const EdgeConfig = z
  .object({
    lastModified: z.int().meta({ description: 'The version of the config: epoch seconds, as in `Last-Modified`.' }),
    project: SdkProject,
    environment: z.object({
      _id: z.string(),
      key: z.string(),
      hasSignedUsers: z.boolean().meta({
        description: 'Whether users of client and mobile keys must be signed, which only the server can check.'
      })
    }),
    hasOptIn: z
      .boolean()
      .meta({ description: 'Whether evaluations depend on the stored choices of users to opt in to features.' }),
    keys: z.array(EdgeKey),
    configs: z.array(z.object({ keyTypes: z.array(KeyType), config: EvaluatedConfig })).meta({
      description: 'The config of each type of key.'
    }),
    overrides: z.record(z.string(), z.record(z.string(), z.string())).meta({
      description: 'By user id: ids of features, and of the variations that replace the result of the rules.'
    }),
    features: z
      .array(z.object({ _id: z.string(), variations: z.array(z.object({ _id: z.string() })) }))
      .meta({ description: 'All features of the project, to which events are attributed.' }),
    variables: z
      .array(z.object({ _id: z.string(), key: z.string(), _feature: z.string().exactOptional() }))
      .meta({ description: 'All variables of the project, to which events are attributed.' })
  })
  .meta({
    id: 'EdgeConfig',
    example: {
      lastModified: 1_772_366_400,
      project: sdkProject,
      environment: { ...document.environment, hasSignedUsers: false },
      hasOptIn: false,
      keys: [{ digest: 'x2G0kqVQ0dUu5CZpKb1Ff3fQX5cVNy0fWJ5g2fYp0dM=', keyType: 'server', createdAt }],
      configs: [{ keyTypes: sdkKeyTypes, config: document }],
      overrides: {},
      features: [{ _id: ids.feature, variations: [{ _id: ids.variationOn }, { _id: ids.variationOff }] }],
      variables: [{ _id: ids.variable, key: feature.key, _feature: ids.feature }]
    }
  })
export type EdgeConfig = z.infer<typeof EdgeConfig>

/** The same as a receiver parses it: it compiles the configs, which checks them, and a server can be newer. */
export const ReceivedEdgeConfig = EdgeConfig.extend({
  configs: z.array(z.object({ keyTypes: z.array(KeyType), config: z.custom<core.Config>(isObject) }))
})
export type ReceivedEdgeConfig = z.infer<typeof ReceivedEdgeConfig>

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

const UserId = z.string().min(1).max(MAX_USER_ID_LENGTH)

const EventOrigin = {
  feature: z.string().optional().meta({ description: 'Id of the feature that carries the variable.' }),
  variation: z.string().optional().meta({ description: 'Id of the served variation; absent for the default.' }),
  sdkType: z.enum(sdkTypes)
}

/** Events of one request, or evaluations that an edge node counted. */
const EdgeEventEntry = z
  .object({
    at: z.int().nonnegative().meta({ description: 'When the edge node received them, in epoch milliseconds.' }),
    payloadId: z.string().min(1).max(MAX_IDEMPOTENCY_KEY_LENGTH).meta({
      description: 'The same for each repetition, which adds nothing within 30 minutes.'
    }),
    keyType: KeyType.optional().meta({ description: 'The type of the key with which the events were sent.' }),
    payloadDigest: z
      .string()
      .max(100)
      .regex(/^[\w-]+$/)
      .optional(),
    reports: z
      .array(
        z.object({
          user: z.looseObject({ user_id: UserId }),
          events: z.array(z.looseObject({ type: z.string() }))
        })
      )
      .optional()
      .meta({ description: 'Events other than evaluations.' }),
    counts: z
      .array(
        z.object({
          variable: z.string().optional().meta({ description: 'Key.' }),
          ...EventOrigin,
          platform: z.string().max(100),
          count: z.int().nonnegative()
        })
      )
      .optional()
      .meta({ description: 'Evaluations by result.' }),
    exposures: z
      .array(
        z.object({
          user_id: UserId,
          ...EventOrigin,
          platform: z.string().max(100).optional(),
          count: z.int().nonnegative().optional(),
          isRepeated: z.boolean().optional(),
          audiences: z.array(z.string()).optional()
        })
      )
      .optional()
      .meta({ description: 'The users for whom variables were evaluated.' })
  })
  .meta({ id: 'EdgeEventEntry' })

/** Events that an edge node received, and evaluations that it counted. */
export const EdgeEvents = z.object({ entries: z.array(EdgeEventEntry).min(1).max(10_000) }).meta({
  id: 'EdgeEvents',
  example: {
    entries: [
      {
        at: 1_772_366_400_000,
        payloadId: '4f8a1c52-5d0e-4f0a-9a2e-3f1f7f1d2c11',
        counts: [
          {
            variable: variable.key,
            feature: ids.feature,
            variation: ids.variationOn,
            sdkType: 'api',
            platform: 'unknown',
            count: 3
          }
        ]
      }
    ]
  }
})
export type EdgeEvents = z.infer<typeof EdgeEvents>
