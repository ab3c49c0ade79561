import { z } from 'zod'
import { configuration } from './examples/checkout.ts'
import { DateTime, Id, UserReference } from './fields.ts'
import { Target, TargetInput } from './target.ts'

/** Whether a feature is switched on in an environment. */
export const FeatureConfigurationStatus = z.enum(['active', 'inactive'])
export type FeatureConfigurationStatus = z.infer<typeof FeatureConfigurationStatus>

/** How a feature behaves in one environment. */
export const FeatureConfiguration = z
  .object({
    _feature: Id,
    _environment: Id,
    _createdBy: UserReference.exactOptional(),
    status: FeatureConfigurationStatus.meta({
      description: 'While it is inactive, users get the defaults in the code.'
    }),
    startedAt: DateTime.exactOptional().meta({ description: 'When it was first switched on.' }),
    updatedAt: DateTime.exactOptional().meta({ description: 'Missing until something is said about the environment.' }),
    targets: z
      .array(Target)
      .meta({ description: 'In order: the first one that is for a user and admits them decides.' }),
    readonly: z.boolean().meta({ description: 'Whether the caller may not change it.' }),
    hasStaticConfig: z
      .boolean()
      .meta({ description: 'Whether everybody gets one variation, for the feature is complete.' })
  })
  .meta({ id: 'FeatureConfiguration', example: configuration })
export type FeatureConfiguration = z.infer<typeof FeatureConfiguration>

/** The body that changes how a feature behaves in one environment. */
export const UpdateFeatureConfiguration = z
  .strictObject({
    status: FeatureConfiguration.shape.status.exactOptional(),
    targets: z
      .array(TargetInput)
      .max(100)
      .refine(isUnique, 'should name each target once')
      .exactOptional()
      .meta({ description: 'All targets, in order, at most 100: those that are not listed go.' })
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
