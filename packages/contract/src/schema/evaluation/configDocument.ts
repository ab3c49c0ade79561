import type * as core from '@burgee/core'
import { z } from 'zod'
import { Json } from '../common/fields.ts'
import { Metadata } from '../common/metadata.ts'
import { feature, target, variable, variationOff, variationOn } from '../examples/checkout.ts'
import { employeesAudience, ids, sdkProject } from '../examples/shop.ts'
import { FeatureSettings, FeatureType } from '../features/featureFields.ts'
import { VariableType } from '../features/variable.ts'
import { SdkProject } from '../projects/project.ts'

// The schemas are loose where engines define what unknown values mean. `satisfies` ties them to the types of core.
// The format is described in docs/reference/config-document.md.

const Filter = z.object({
  type: z.string(),
  subType: z.string().exactOptional(),
  comparator: z.string().exactOptional(),
  values: z.array(z.unknown()).exactOptional(),
  dataKey: z.string().exactOptional(),
  dataKeyType: z.enum(['String', 'Boolean', 'Number']).exactOptional(),
  _audiences: z.array(z.string()).exactOptional()
})

const ConfigOperator: z.ZodType<core.Operator> = z
  .object({
    operator: z.string(),
    get filters() {
      return z.array(z.union([ConfigOperator, Filter]))
    }
  })
  .meta({ id: 'ConfigOperator' })

const ConfigRollout = z.object({
  type: z.string(),
  startDate: z.string(),
  startPercentage: z.number().exactOptional(),
  stages: z.array(z.object({ type: z.string(), date: z.string(), percentage: z.number() })).exactOptional()
}) satisfies z.ZodType<core.Rollout>

const ConfigTarget = z.object({
  _id: z.string().meta({ description: 'The seed of the hashes of the target.' }),
  name: z.string().exactOptional(),
  type: z.literal('override').exactOptional().meta({ description: 'Only for targets that represent overrides.' }),
  _audience: z.object({ filters: ConfigOperator }),
  distribution: z.array(z.object({ _variation: z.string(), percentage: z.number() })),
  rollout: ConfigRollout.exactOptional(),
  bucketingKey: z.string().min(1).exactOptional()
}) satisfies z.ZodType<core.Target>

const ConfigFeature = z
  .object({
    _id: z.string(),
    key: z.string(),
    type: FeatureType,
    settings: FeatureSettings,
    variations: z.array(
      z.object({
        _id: z.string(),
        key: z.string(),
        name: z.string(),
        variables: z.array(z.object({ _var: z.string(), value: Json }))
      })
    ),
    configuration: z.object({ _id: z.string(), targets: z.array(ConfigTarget) })
  })
  .meta({ id: 'ConfigFeature' })

const ConfigVariable = z.object({
  _id: z.string(),
  key: z.string(),
  type: VariableType,
  metadata: Metadata.exactOptional()
}) satisfies z.ZodType<core.Variable>

const checkout = {
  _id: ids.feature,
  key: feature.key,
  type: feature.type,
  settings: feature.settings,
  variations: [variationOn, variationOff].map(({ variables, ...variation }) => ({
    ...variation,
    variables: [{ _var: ids.variable, value: variables['new-checkout'] }]
  })),
  configuration: {
    _id: `${ids.feature}-production`,
    targets: [
      {
        _id: target._id,
        name: target.name,
        _audience: { filters: target.audience.filters },
        distribution: target.distribution
      }
    ]
  }
} as const

const example = {
  project: sdkProject,
  environment: { _id: ids.production, key: 'production' },
  features: [checkout],
  variables: [{ _id: ids.variable, key: variable.key, type: variable.type }],
  variableHashes: {},
  audiences: { [ids.audience]: { filters: employeesAudience } },
  debugUsers: [],
  sse: { hostname: 'https://flags.example.com', path: '/event-stream?sdkKey=server-not-a-real-key' }
}

/** The config of an environment, for evaluation in the process of the SDK (docs/reference/config-document.md). */
export const ConfigDocument = z
  .object({
    project: SdkProject,
    environment: z.object({ _id: z.string(), key: z.string() }),
    features: z
      .array(ConfigFeature)
      .meta({ description: 'The features that are on. If several contain a variable, the last one served decides.' }),
    variables: z.array(ConfigVariable).meta({ description: 'All variables of the environment.' }),
    variableHashes: z.record(z.string(), z.number()).meta({ description: 'Always empty.' }),
    audiences: z
      .record(z.string(), z.object({ filters: ConfigOperator }))
      .meta({ description: 'By id, for filters of type `audienceMatch`.' }),
    offValues: z
      .record(z.string(), z.object({ variant: z.string(), value: Json }))
      .exactOptional()
      .meta({
        description:
          'By variable key: the values of OFREP for variables that are not served, if the environment sets `ofrepOffValues`.'
      }),
    debugUsers: z.array(z.string()).meta({ description: 'The ids of users with overrides.' }),
    sse: z.object({ hostname: z.string(), path: z.string() }).optional().meta({
      description:
        'Origin and path of the change stream. Absent if the server does not know its public URL; SDKs poll then.'
    })
  })
  .meta({ id: 'ConfigDocument', example }) satisfies z.ZodType<core.Config>
export type ConfigDocument = z.infer<typeof ConfigDocument>

/** The config as client keys see it, for servers that render pages for browsers. */
export const BootstrapDocument = ConfigDocument.extend({
  clientSDKKey: z.string().meta({ description: 'The client SDK key for the browser.' })
}).meta({
  id: 'BootstrapDocument',
  example: {
    ...example,
    sse: { ...example.sse, path: '/event-stream?sdkKey=client-not-a-real-key' },
    clientSDKKey: 'client-not-a-real-key'
  }
})
export type BootstrapDocument = z.infer<typeof BootstrapDocument>
