import { z } from 'zod'
import { BucketedFeature, BucketedVariable } from './evaluation.ts'
import { bucketedFeature, bucketedVariable } from './examples/checkout.ts'
import { ids, sdkProject } from './examples/shop.ts'
import { SdkProject } from './project.ts'

/** Everything one user gets in one environment: what SDKs of browsers and apps start with (`evaluation.md` §1.6). */
export const BucketedUserConfig = z
  .object({
    project: SdkProject,
    environment: z.object({ _id: z.string(), key: z.string() }),
    features: z.record(z.string(), BucketedFeature).meta({ description: 'By key.' }),
    featureVariationMap: z
      .record(z.string(), z.string())
      .meta({ description: 'Id of a feature → id of the variation that the user gets of it.' }),
    variableVariationMap: z
      .record(z.string(), z.object({ _feature: z.string(), _variation: z.string() }))
      .meta({ description: 'Always empty: a variable says itself which feature serves it.' }),
    variables: z.record(z.string(), BucketedVariable).meta({ description: 'By key.' }),
    sse: z
      .object({
        url: z.string().meta({ description: 'Where changes are told as they happen.' }),
        inactivityDelay: z
          .number()
          .meta({ description: 'After how many milliseconds out of sight a client hangs up there.' })
      })
      .optional()
      .meta({ description: 'Left out where the server does not know its own address.' }),
    etag: z.string().meta({ description: 'Tells the state of the config from others, as messages of the stream do.' })
  })
  .meta({
    id: 'BucketedUserConfig',
    example: {
      project: sdkProject,
      environment: { _id: ids.production, key: 'production' },
      features: { [bucketedFeature.key]: bucketedFeature },
      featureVariationMap: { [ids.feature]: ids.variationOn },
      variableVariationMap: {},
      variables: { [bucketedVariable.key]: bucketedVariable },
      sse: {
        url: 'https://flags.example.com/event-stream?sdkKey=client-not-a-real-key',
        inactivityDelay: 120_000
      },
      etag: '"1772366400-65f0c0ffee01234567890002"'
    }
  })
export type BucketedUserConfig = z.infer<typeof BucketedUserConfig>
