import { z } from 'zod'
import { defineOperation } from '../operation.ts'
import { Reference } from '../schema/fields.ts'
import {
  CurrentFeatureOverrides,
  CurrentOverride,
  FeatureOverrides,
  Override,
  UpdateOverride
} from '../schema/override.ts'
import { UpdateUserProfile, UserProfile } from '../schema/userProfile.ts'
import { commandAccess, readAccess, writeAccess } from './operationAccess.ts'

const tag = 'User profiles and overrides'
const inProject = z.object({ project: Reference })
const ofFeature = z.object({ project: Reference, feature: Reference })
const OneEnvironment = z.object({ environment: Reference.optional() })

/** Who the caller is as a user. */
export const getUserProfile = defineOperation({
  // The first request makes the profile.
  ...readAccess('project:read', 404, 503),
  tag,
  id: 'getUserProfile',
  summary: 'Get who the caller is as a user of the applications',
  description: 'Before anything is known, `svcUserId` is null.',
  method: 'GET',
  path: '/v1/projects/{project}/userProfile/current',
  params: inProject,
  status: 200,
  response: UserProfile
})

/** Who the caller is as a user from now on. */
export const updateUserProfile = defineOperation({
  ...writeAccess('project:read', 404, 409),
  tag,
  id: 'updateUserProfile',
  summary: 'Say who the caller is as a user of the applications',
  description:
    'Null and the empty text remove all overrides of the caller in the project. Answers 409 when another member of the team has this `svcUserId`.',
  method: 'PATCH',
  path: '/v1/projects/{project}/userProfile/current',
  params: inProject,
  body: UpdateUserProfile,
  status: 200,
  response: UserProfile
})

/** An override of the caller, new or changed. */
export const updateFeatureOverride = defineOperation({
  ...writeAccess('project:read', 404),
  tag,
  id: 'updateFeatureOverride',
  summary: 'Override which variation of a feature the caller gets',
  description: 'Answers 400 when the profile of the caller has no `svcUserId`. It is not in the audit log.',
  method: 'PUT',
  path: '/v1/projects/{project}/features/{feature}/overrides/current',
  params: ofFeature,
  body: UpdateOverride,
  status: 200,
  response: Override
})

/** The overrides of the caller for a feature. */
export const getCurrentFeatureOverrides = defineOperation({
  ...readAccess('project:read', 404),
  tag,
  id: 'getCurrentFeatureOverrides',
  summary: 'Get the overrides of the caller for a feature',
  method: 'GET',
  path: '/v1/projects/{project}/features/{feature}/overrides/current',
  params: ofFeature,
  query: OneEnvironment,
  status: 200,
  response: CurrentFeatureOverrides
})

/** The end of an override of the caller. */
export const deleteFeatureOverride = defineOperation({
  ...commandAccess('project:read', 404),
  tag,
  id: 'deleteFeatureOverride',
  summary: 'Delete the override of the caller for a feature in an environment',
  method: 'DELETE',
  path: '/v1/projects/{project}/features/{feature}/overrides/current',
  params: ofFeature,
  query: z.object({ environment: Reference }),
  status: 200
})

/** The overrides of everybody for a feature. */
export const getFeatureOverrides = defineOperation({
  ...readAccess('project:read:overrides', 404),
  tag,
  id: 'getFeatureOverrides',
  summary: 'Get the overrides of everybody for a feature',
  method: 'GET',
  path: '/v1/projects/{project}/features/{feature}/overrides',
  params: ofFeature,
  query: OneEnvironment.extend({
    addMetadata: z
      .stringbool()
      .optional()
      .meta({ description: 'true or false: whether the name and email of each member are given. Default: false.' })
  }),
  status: 200,
  response: FeatureOverrides
})

/** The overrides of the caller in a project. */
export const listCurrentOverrides = defineOperation({
  ...readAccess('project:read', 404),
  tag,
  id: 'listCurrentOverrides',
  summary: 'List the overrides of the caller in a project',
  method: 'GET',
  path: '/v1/projects/{project}/overrides/current',
  params: inProject,
  status: 200,
  response: z.array(CurrentOverride)
})

/** The end of all overrides of the caller in a project. */
export const deleteCurrentOverrides = defineOperation({
  ...commandAccess('project:read', 404),
  tag,
  id: 'deleteCurrentOverrides',
  summary: 'Delete the overrides of the caller in a project',
  method: 'DELETE',
  path: '/v1/projects/{project}/overrides/current',
  params: inProject,
  status: 200
})
