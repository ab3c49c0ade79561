import { Reference } from './fields.ts'

/** References to resources by kind. The examples exist in the demo project, or are created by other examples. */
export const ProjectReference = Reference.meta({ description: 'Key or id of the project.', example: 'demo' })
export const EnvironmentReference = Reference.meta({
  description: 'Key or id of the environment.',
  example: 'production'
})
export const FeatureReference = Reference.meta({ description: 'Key or id of the feature.', example: 'new-checkout' })
export const VariationReference = Reference.meta({
  description: 'Key or id of the variation.',
  example: 'variation-on'
})
export const VariableReference = Reference.meta({ description: 'Key or id of the variable.', example: 'new-checkout' })
export const AudienceReference = Reference.meta({ description: 'Key or id of the audience.', example: 'beta-testers' })
export const MetricReference = Reference.meta({ description: 'Key or id of the metric.', example: 'purchases' })
export const CustomPropertyReference = Reference.meta({
  description: 'Key or id of the custom property.',
  example: 'plan'
})
