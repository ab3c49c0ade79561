import { z } from 'zod'
import { Id, Name, UserReference } from '../common/fields.ts'
import { EnvironmentReference, VariationReference } from '../common/references.ts'
import { feature, override, variationOn } from '../examples/checkout.ts'
import { ids } from '../examples/shop.ts'

const EpochMilliseconds = z.number().meta({ description: 'Epoch milliseconds.' })

/**
 * The variation that a member gets in an environment, regardless of targets
 * (docs/reference/management.md#self-targeting).
 */
export const Override = z
  .object({
    _project: Id,
    _environment: Id,
    _feature: Id,
    _variation: Id,
    svcUserId: z.string().meta({ description: 'The `user_id` that gets the variation.' }),
    idp_user: UserReference.exactOptional(),
    createdAt: EpochMilliseconds,
    updatedAt: EpochMilliseconds
  })
  .meta({ id: 'Override', example: override })
export type Override = z.infer<typeof Override>

/** The body that sets an override. */
export const UpdateOverride = z
  .strictObject({ environment: EnvironmentReference, variation: VariationReference })
  .meta({ id: 'UpdateOverride', example: { environment: 'production', variation: variationOn.key } })
export type UpdateOverride = z.infer<typeof UpdateOverride>

/** The number of overrides that an operation deleted. */
export const DeletedOverrides = z
  .object({ deleted: z.int().meta({ description: 'Number of deleted overrides.' }) })
  .meta({ id: 'DeletedOverrides', example: { deleted: 1 } })
export type DeletedOverrides = z.infer<typeof DeletedOverrides>

/** The overrides of the caller for a feature. */
export const CurrentFeatureOverrides = z
  .object({ overrides: z.array(Override.pick({ _environment: true, _variation: true })) })
  .meta({
    id: 'CurrentFeatureOverrides',
    example: { overrides: [{ _environment: ids.production, _variation: ids.variationOn }] }
  })
export type CurrentFeatureOverrides = z.infer<typeof CurrentFeatureOverrides>

/** An override of the caller with the names of feature, environment and variation. */
export const CurrentOverride = Override.pick({ _feature: true, _environment: true, _variation: true })
  .extend({ featureName: Name, environmentName: Name, variationName: Name })
  .meta({
    id: 'CurrentOverride',
    example: {
      _feature: ids.feature,
      _environment: ids.production,
      _variation: ids.variationOn,
      featureName: feature.name,
      environmentName: 'Production',
      variationName: variationOn.name
    }
  })
export type CurrentOverride = z.infer<typeof CurrentOverride>

/** The overrides of all members for a feature. */
export const FeatureOverrides = z
  .object({
    overrides: z
      .record(
        z.string(),
        z.array(Override.extend({ name: z.string(), email: z.string() }).partial({ name: true, email: true }))
      )
      .meta({ description: 'By environment id.' }),
    uniqueTeamMembers: z.number().meta({ description: 'Number of members with an override.' })
  })
  .meta({
    id: 'FeatureOverrides',
    example: {
      overrides: { [ids.production]: [{ ...override, name: 'burgee-admin' }] },
      uniqueTeamMembers: 1
    }
  })
export type FeatureOverrides = z.infer<typeof FeatureOverrides>
