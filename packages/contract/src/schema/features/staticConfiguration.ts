import { z } from 'zod'
import { VariableValues } from '../common/variableValue.ts'
import { feature, variationOn } from '../examples/checkout.ts'
import { Feature } from './feature.ts'
import { FeatureConfigurationStatus } from './featureConfiguration.ts'
import { UpdateFeature } from './featureInput.ts'

/** What a complete feature serves to all users. */
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
    variables: VariableValues.meta({ description: 'Values by variable key.' }),
    environments: z
      .record(z.string(), z.object({ status: FeatureConfigurationStatus }))
      .meta({ description: 'Whether the feature is on, by environment key.' }),
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

/** The body that updates what a complete feature serves. */
export const UpdateStaticConfiguration = UpdateFeature.omit({ variations: true, configurations: true })
  .extend({
    variables: VariableValues.optional().meta({
      description: 'Values by variable key. Omitted variables keep their values.'
    }),
    environments: z
      .record(
        z.string(),
        z.union([z.strictObject({ status: FeatureConfigurationStatus }), FeatureConfigurationStatus], {
          error: () => 'should be active or inactive, or an object with that as its status'
        })
      )
      .optional()
      .meta({ description: 'Whether the feature is on, by key or id of the environment.' })
  })
  .meta({
    id: 'UpdateStaticConfiguration',
    example: { variables: { 'winter-banner': true }, environments: { staging: { status: 'inactive' } } }
  })
export type UpdateStaticConfiguration = z.infer<typeof UpdateStaticConfiguration>
