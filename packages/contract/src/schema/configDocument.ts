import type * as core from '@burgee/core'
import { z } from 'zod'
import { feature, target, variable, variationOff, variationOn } from './examples/checkout.ts'
import { employeesAudience, ids, sdkProject } from './examples/shop.ts'
import { FeatureSettings, FeatureType } from './featureFields.ts'
import { Json } from './json.ts'
import { Metadata } from './metadata.ts'
import { SdkProject } from './project.ts'
import { VariableType } from './variable.ts'

// What engines read is written loosely here: their rules say what becomes of a word that they do not know, and this
// says how everything is laid out (`evaluation.md` §1.1). Core's types hold the schemas to what core evaluates.

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
  _id: z.string().meta({ description: 'Seeds every hash of the target.' }),
  name: z.string().exactOptional(),
  type: z.literal('override').exactOptional().meta({ description: 'Only of a target that stands for overrides.' }),
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

/** Everything that an SDK needs to evaluate in its own process: the config of an environment, and where changes are told. */
export const ConfigDocument = z
  .object({
    project: SdkProject,
    environment: z.object({ _id: z.string(), key: z.string() }),
    features: z
      .array(ConfigFeature)
      .meta({ description: 'Those that are live. The last one served gives a variable that several carry.' }),
    variables: z.array(ConfigVariable).meta({ description: 'Every variable that is known here.' }),
    variableHashes: z.record(z.string(), z.number()).meta({ description: 'Always empty.' }),
    audiences: z
      .record(z.string(), z.object({ filters: ConfigOperator }))
      .meta({ description: 'By id, as filters of the type `audienceMatch` name them.' }),
    offValues: z
      .record(z.string(), z.object({ variant: z.string(), value: Json }))
      .exactOptional()
      .meta({
        description: 'By key of the variable: what OFREP answers where none is served, if the environment says so.'
      }),
    debugUsers: z.array(z.string()).meta({ description: 'Those who have overrides.' }),
    sse: z.object({ hostname: z.string(), path: z.string() }).optional().meta({
      description:
        'Where changes are told as they happen: an origin, and the rest of the address. Left out where the server does not know its own; SDKs ask for changes then.'
    })
  })
  .meta({ id: 'ConfigDocument', example }) satisfies z.ZodType<core.Config>
export type ConfigDocument = z.infer<typeof ConfigDocument>

/** The config that browsers see, for a server that evaluates for them. */
export const BootstrapDocument = ConfigDocument.extend({
  clientSDKKey: z.string().meta({ description: 'What the browser goes on with.' })
}).meta({
  id: 'BootstrapDocument',
  example: {
    ...example,
    sse: { ...example.sse, path: '/event-stream?sdkKey=client-not-a-real-key' },
    clientSDKKey: 'client-not-a-real-key'
  }
})
export type BootstrapDocument = z.infer<typeof BootstrapDocument>
