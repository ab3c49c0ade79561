import { z } from 'zod'
import { DateTime, Id, UserReference } from '../common/fields.ts'
import { configuration } from '../examples/checkout.ts'
import { Target, TargetInput } from './target.ts'

/** The maximum number of targets of a feature in an environment. */
export const MAX_TARGETS = 100

/** Whether a feature is on in an environment. */
export const FeatureConfigurationStatus = z.enum(['active', 'inactive'])
export type FeatureConfigurationStatus = z.infer<typeof FeatureConfigurationStatus>

/** The configuration of a feature in one environment. */
export const FeatureConfiguration = z
  .object({
    _feature: Id,
    _environment: Id,
    _createdBy: UserReference.exactOptional(),
    status: FeatureConfigurationStatus.meta({
      description: 'If it is `inactive`, applications use their default values.'
    }),
    startedAt: DateTime.exactOptional().meta({ description: 'When the feature was first turned on.' }),
    killedAt: DateTime.exactOptional().meta({
      description: 'When a kill turned the feature off. Absent if the feature was turned on again since.'
    }),
    updatedAt: DateTime.exactOptional().meta({
      description: 'Absent until the feature is configured in the environment.'
    }),
    targets: z.array(Target).meta({
      description: 'In order. The first target that matches the user, and whose rollout includes the user, decides.'
    }),
    readonly: z.boolean().meta({ description: 'Whether the caller cannot change it.' }),
    hasStaticConfig: z
      .boolean()
      .meta({ description: 'Whether all users get the same variation because the feature is complete.' })
  })
  .meta({ id: 'FeatureConfiguration', example: configuration })
export type FeatureConfiguration = z.infer<typeof FeatureConfiguration>

/** The body that updates the configuration of a feature in one environment. */
export const UpdateFeatureConfiguration = z
  .strictObject({
    status: FeatureConfiguration.shape.status.exactOptional(),
    targets: z
      .array(TargetInput)
      .max(MAX_TARGETS)
      .refine(isUnique, 'should name each target once')
      .exactOptional()
      .meta({ description: 'All targets in order, at most 100; others are removed.' })
  })
  .meta({
    id: 'UpdateFeatureConfiguration',
    example: {
      status: 'active',
      targets: [
        {
          name: 'All Users',
          audience: { filters: { operator: 'and', filters: [{ type: 'all' }] } },
          distribution: [{ _variation: 'variation-on', percentage: 1 }]
        }
      ]
    }
  })
export type UpdateFeatureConfiguration = z.infer<typeof UpdateFeatureConfiguration>

function isUnique(targets: readonly TargetInput[]): boolean {
  const ids = targets.flatMap(({ _id }) => _id ?? [])
  return new Set(ids).size === ids.length
}
