import { z } from 'zod'
import { feature, variationOn } from './examples/checkout.ts'
import { Feature } from './feature.ts'
import { FeatureConfigurationStatus } from './featureConfiguration.ts'
import { UpdateFeature } from './featureInput.ts'
import { VariableValues } from './variableValue.ts'

/** What everybody gets of a feature that is complete. */
export const StaticConfiguration = Feature.pick({
  key: true,
  name: true,
  description: true,
  type: true,
  tags: true,
  controlVariation: true,
  settings: true,
  sdkVisibility: true,
  staleness: true,
  summary: true
})
  .partial()
  .extend({
    variables: VariableValues.meta({ description: 'Key of a variable → its value.' }),
    environments: z
      .record(z.string(), z.object({ status: FeatureConfigurationStatus }))
      .meta({ description: 'Key of an environment → whether the feature is switched on there.' }),
    readonly: Feature.shape.readonly
  })
  .meta({
    id: 'StaticConfiguration',
    example: {
      key: feature.key,
      name: feature.name,
      description: feature.description,
      type: feature.type,
      tags: feature.tags,
      controlVariation: feature.controlVariation,
      settings: feature.settings,
      sdkVisibility: feature.sdkVisibility,
      summary: feature.summary,
      variables: variationOn.variables,
      environments: { production: { status: 'active' } },
      readonly: false
    }
  })
export type StaticConfiguration = z.infer<typeof StaticConfiguration>

/** The body that changes what everybody gets of a feature that is complete. */
export const UpdateStaticConfiguration = UpdateFeature.omit({ variations: true, configurations: true })
  .extend({
    variables: VariableValues.optional().meta({
      description: 'Key of a variable → its value. Variables that are left out keep theirs.'
    }),
    environments: z
      .record(
        z.string(),
        z.union([z.strictObject({ status: FeatureConfigurationStatus }), FeatureConfigurationStatus], {
          error: () => 'should be active or inactive, or an object with that as its status'
        })
      )
      .optional()
      .meta({ description: 'Key or id of an environment → whether the feature is switched on there.' })
  })
  .meta({
    id: 'UpdateStaticConfiguration',
    example: { variables: { 'new-checkout': true }, environments: { staging: { status: 'inactive' } } }
  })
export type UpdateStaticConfiguration = z.infer<typeof UpdateStaticConfiguration>
