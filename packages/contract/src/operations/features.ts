import { z } from 'zod'
import { defineOperation } from '../operation.ts'
import { Feature } from '../schema/feature.ts'
import { FeatureStatus, FeatureType } from '../schema/featureFields.ts'
import { CreateFeature, UpdateFeature, UpdateFeatureStatus } from '../schema/featureInput.ts'
import { FeatureSummary, UpdateSummary } from '../schema/featureSummary.ts'
import { Reference } from '../schema/fields.ts'
import { Pagination } from '../schema/pagination.ts'
import { FeatureStaleness, UpdateStaleness } from '../schema/staleness.ts'
import { StaticConfiguration, UpdateStaticConfiguration } from '../schema/staticConfiguration.ts'
import { readAccess, writeAccess } from './operationAccess.ts'

const tag = 'Features'
const inProject = z.object({ project: Reference })
const params = z.object({ project: Reference, feature: Reference })

/** A new feature. */
export const createFeature = defineOperation({
  ...writeAccess('feature:write', 404, 409, 412),
  tag,
  id: 'createFeature',
  summary: 'Create a feature',
  description:
    'A variable that is there and belongs to no feature is added to this one. Answers 412 when a variation has a value for a variable that is not in the feature.',
  method: 'POST',
  path: '/v2/projects/{project}/features',
  params: inProject,
  body: CreateFeature,
  status: 201,
  response: Feature
})

/** The features of a project. */
export const listFeatures = defineOperation({
  ...readAccess('feature:read', 404),
  tag,
  id: 'listFeatures',
  summary: 'List the features of a project',
  description: '`search` looks into names, keys, tags and descriptions.',
  method: 'GET',
  path: '/v2/projects/{project}/features',
  params: inProject,
  query: Pagination.extend({
    type: FeatureType.optional(),
    status: FeatureStatus.optional().meta({ description: 'Default: all of them.' }),
    keys: z
      .union([z.string(), z.array(z.string())])
      .optional()
      .meta({ description: 'Keeps the features with these keys: repeated, or one list with commas.' }),
    includeLatestUpdate: z
      .stringbool()
      .optional()
      .meta({ description: 'true or false: whether each feature comes with its newest audit entry. Default: false.' }),
    staleness: z.enum(['all', 'unused', 'released', 'unmodified', 'notStale']).optional().meta({
      description:
        'Keeps the features that are stale, for any reason or for this one, and not silenced; or all the others.'
    })
  }),
  status: 200,
  response: z.array(Feature),
  responseKind: 'list'
})

/** One feature. */
export const getFeature = defineOperation({
  ...readAccess('feature:read', 404),
  tag,
  id: 'getFeature',
  summary: 'Get a feature',
  method: 'GET',
  path: '/v2/projects/{project}/features/{feature}',
  params,
  status: 200,
  response: Feature
})

/** Changes of a feature. */
export const updateFeature = defineOperation({
  ...writeAccess('feature:write', 404, 409, 412),
  tag,
  id: 'updateFeature',
  summary: 'Update a feature',
  description:
    'Answers 412 when a variation that is served somewhere would go, and when the feature is archived; of a complete feature, targets and variations cannot change.',
  method: 'PATCH',
  path: '/v2/projects/{project}/features/{feature}',
  params,
  body: UpdateFeature,
  status: 200,
  response: Feature
})

/** How far a feature has come. */
export const updateFeatureStatus = defineOperation({
  ...writeAccess('feature:write', 404, 409, 412),
  tag,
  id: 'updateFeatureStatus',
  summary: 'Update the status of a feature',
  description:
    'complete and archived take the permission `feature:publish`. A complete feature serves one variation to everybody in every environment that is switched on; going back does not bring its targets back.',
  method: 'PATCH',
  path: '/v2/projects/{project}/features/{feature}/status',
  params,
  body: UpdateFeatureStatus,
  status: 200,
  response: Feature
})

/** What everybody gets of a complete feature. */
export const getStaticConfiguration = defineOperation({
  ...readAccess('feature:read', 404, 412),
  tag,
  id: 'getStaticConfiguration',
  summary: 'Get the static configuration of a feature',
  description: 'Answers 412 unless the feature is complete.',
  method: 'GET',
  path: '/v2/projects/{project}/features/{feature}/static-configuration',
  params,
  status: 200,
  response: StaticConfiguration
})

/** Changes of what everybody gets of a complete feature. */
export const updateStaticConfiguration = defineOperation({
  ...writeAccess('feature:write', 404, 409, 412),
  tag,
  id: 'updateStaticConfiguration',
  summary: 'Update the static configuration of a feature',
  description: 'Answers 412 unless the feature is complete.',
  method: 'PATCH',
  path: '/v2/projects/{project}/features/{feature}/static-configuration',
  params,
  body: UpdateStaticConfiguration,
  status: 200,
  response: StaticConfiguration
})

/** Whether a feature is stale. */
export const getFeatureStaleness = defineOperation({
  ...readAccess('feature:read', 404, 412),
  tag,
  id: 'getFeatureStaleness',
  summary: 'Get the staleness of a feature',
  description: 'As it is at this moment, also while it is snoozed or disabled.',
  method: 'GET',
  path: '/v2/projects/{project}/features/{feature}/staleness',
  params,
  status: 200,
  response: FeatureStaleness
})

/** Who is told that a feature is stale, and when. */
export const updateFeatureStaleness = defineOperation({
  ...writeAccess('feature:write', 404, 409, 412),
  tag,
  id: 'updateFeatureStaleness',
  summary: 'Snooze or silence the staleness of a feature',
  description: 'It does not count as a modification of the feature. Answers 412 when the feature is archived.',
  method: 'PATCH',
  path: '/v2/projects/{project}/features/{feature}/staleness',
  params,
  body: UpdateStaleness,
  status: 200,
  response: FeatureStaleness
})

/** What is said about a feature. */
export const updateFeatureSummary = defineOperation({
  ...writeAccess('feature:write', 404, 409, 412),
  tag,
  id: 'updateFeatureSummary',
  summary: 'Update the summary of a feature',
  method: 'PATCH',
  path: '/v2/projects/{project}/features/{feature}/summary',
  params,
  body: UpdateSummary,
  status: 200,
  response: FeatureSummary
})
