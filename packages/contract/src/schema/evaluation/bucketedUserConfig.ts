import { z } from 'zod'
import { bucketedFeature, bucketedVariable } from '../examples/checkout.ts'
import { ids, sdkProject } from '../examples/shop.ts'
import { SdkProject } from '../projects/project.ts'
import { BucketedFeature, BucketedVariable } from './evaluation.ts'

/**
 * All variables and features of one user in an environment, for client and mobile SDKs
 * (docs/reference/config-document.md).
 */
export const BucketedUserConfig = z
  .object({
    project: SdkProject,
    environment: z.object({ _id: z.string(), key: z.string() }),
    features: z.record(z.string(), BucketedFeature).meta({ description: 'By key.' }),
    featureVariationMap: z
      .record(z.string(), z.string())
      .meta({ description: 'Ids of features and of the variations that the user gets.' }),
    variableVariationMap: z
      .record(z.string(), z.object({ _feature: z.string(), _variation: z.string() }))
      .meta({ description: 'Always empty. Variables have `_feature` instead.' }),
    variables: z.record(z.string(), BucketedVariable).meta({ description: 'By key.' }),
    sse: z
      .object({
        url: z.string().meta({ description: 'The URL of the change stream.' }),
        inactivityDelay: z
          .number()
          .meta({ description: 'Milliseconds in the background after which a client disconnects.' })
      })
      .optional()
      .meta({ description: 'Absent if the server does not know its public URL.' }),
    etag: z.string().meta({ description: 'The version of the config, as in messages of the stream.' })
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
      etag: 'W/"1772366400-65f0c0ffee01234567890002"'
    }
  })
export type BucketedUserConfig = z.infer<typeof BucketedUserConfig>
