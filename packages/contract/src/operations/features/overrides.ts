import { z } from 'zod'
import { defineOperation } from '../../operation.ts'
import { UserReference } from '../../schema/common/fields.ts'
import { EnvironmentReference, FeatureReference, ProjectReference } from '../../schema/common/references.ts'
import {
  CurrentFeatureOverrides,
  CurrentOverride,
  DeletedOverrides,
  FeatureOverrides,
  Override,
  UpdateOverride
} from '../../schema/projects/override.ts'
import { UpdateUserProfile, UserProfile } from '../../schema/projects/userProfile.ts'
import { accessWithBody, accessWithoutBody } from '../operationAccess.ts'

const tag = 'User profiles and overrides'
const inProject = z.object({ project: ProjectReference })
const ofFeature = z.object({ project: ProjectReference, feature: FeatureReference })
const OneEnvironment = z.object({ environment: EnvironmentReference.optional() })

/** Get the user profile of the caller. */
export const getUserProfile = defineOperation({
  // The first request creates the profile.
  ...accessWithoutBody('project:read', 404),
  tag,
  id: 'getUserProfile',
  summary: 'Get the user profile of the caller',
  description: 'The `user_id` of the caller in the applications of the project. `svcUserId` is null until it is set.',
  method: 'GET',
  path: '/v1/projects/{project}/userProfile/current',
  params: inProject,
  status: 200,
  response: UserProfile
})

/** Update the user profile of the caller. */
export const updateUserProfile = defineOperation({
  ...accessWithBody('project:read', 404, 409),
  tag,
  id: 'updateUserProfile',
  summary: 'Update the user profile of the caller',
  description:
    '`null` and the empty string delete all overrides of the caller in the project. Otherwise they move to the new user, which requires `feature:publish` if one of them is in a protected environment, unless the project setting `overrides.protectedPermission` is `read`. Returns 409 if another member has this `svcUserId`. The audit log of the project records the change.',
  method: 'PATCH',
  path: '/v1/projects/{project}/userProfile/current',
  params: inProject,
  body: UpdateUserProfile,
  status: 200,
  response: UserProfile
})

/** Set an override of the caller. */
export const updateFeatureOverride = defineOperation({
  ...accessWithBody('project:read', 404),
  tag,
  id: 'updateFeatureOverride',
  summary: 'Set an override of the caller',
  description:
    'Sets the variation of a feature that the caller gets in an environment. Requires `feature:publish` in a protected environment, unless the project setting `overrides.protectedPermission` is `read`. Returns 400 if the profile of the caller has no `svcUserId`. Needs no approval. The audit log of the feature records the change.',
  method: 'PUT',
  path: '/v1/projects/{project}/features/{feature}/overrides/current',
  params: ofFeature,
  body: UpdateOverride,
  status: 200,
  response: Override
})

/** List the overrides of the caller for a feature. */
export const getCurrentFeatureOverrides = defineOperation({
  ...accessWithoutBody('project:read', 404),
  tag,
  id: 'getCurrentFeatureOverrides',
  summary: 'List the overrides of the caller for a feature',
  method: 'GET',
  path: '/v1/projects/{project}/features/{feature}/overrides/current',
  params: ofFeature,
  query: OneEnvironment,
  status: 200,
  response: CurrentFeatureOverrides
})

/** Delete an override of the caller. */
export const deleteFeatureOverride = defineOperation({
  ...accessWithoutBody('project:read', 404),
  tag,
  id: 'deleteFeatureOverride',
  summary: 'Delete an override of the caller',
  method: 'DELETE',
  path: '/v1/projects/{project}/features/{feature}/overrides/current',
  params: ofFeature,
  query: z.object({ environment: EnvironmentReference }),
  status: 200
})

/** List the overrides of a feature. */
export const getFeatureOverrides = defineOperation({
  ...accessWithoutBody('project:read:overrides', 404),
  tag,
  id: 'getFeatureOverrides',
  summary: 'List the overrides of a feature',
  description:
    'The overrides of all members by environment, with the member who made each one (`idp_user`) and the user that gets the variation (`svcUserId`).',
  method: 'GET',
  path: '/v1/projects/{project}/features/{feature}/overrides',
  params: ofFeature,
  query: OneEnvironment.extend({
    addMetadata: z
      .stringbool()
      .optional()
      .meta({ description: 'Whether to include the name and e-mail address of each member. Default: false.' })
  }),
  status: 200,
  response: FeatureOverrides
})

/** Delete overrides of a feature. */
export const deleteFeatureOverrides = defineOperation({
  ...accessWithoutBody('feature:write', 404),
  tag,
  id: 'deleteFeatureOverrides',
  summary: 'Delete overrides of a feature',
  description:
    'Deletes the overrides of all members, or of one, in one environment. Requires `feature:publish` in a protected environment, regardless of the settings of the project. Needs no approval. The audit log of the feature records the deletion.',
  method: 'DELETE',
  path: '/v1/projects/{project}/features/{feature}/overrides',
  params: ofFeature,
  query: z.object({
    environment: EnvironmentReference,
    idp_user: UserReference.optional().meta({
      description: 'The member whose override is deleted. Default: the overrides of all members are deleted.'
    })
  }),
  status: 200,
  response: DeletedOverrides
})

/** List the overrides of the caller. */
export const listCurrentOverrides = defineOperation({
  ...accessWithoutBody('project:read', 404),
  tag,
  id: 'listCurrentOverrides',
  summary: 'List the overrides of the caller',
  method: 'GET',
  path: '/v1/projects/{project}/overrides/current',
  params: inProject,
  status: 200,
  response: z.array(CurrentOverride)
})

/** Delete all overrides of the caller. */
export const deleteCurrentOverrides = defineOperation({
  ...accessWithoutBody('project:read', 404),
  tag,
  id: 'deleteCurrentOverrides',
  summary: 'Delete all overrides of the caller',
  method: 'DELETE',
  path: '/v1/projects/{project}/overrides/current',
  params: inProject,
  status: 200
})
