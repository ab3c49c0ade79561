import { z } from 'zod'
import { defineOperation } from '../../operation.ts'
import { Pagination } from '../../schema/common/pagination.ts'
import { FeatureReference, ProjectReference } from '../../schema/common/references.ts'
import { Feature } from '../../schema/features/feature.ts'
import { FeatureStatus, FeatureType } from '../../schema/features/featureFields.ts'
import { CreateFeature, UpdateFeature, UpdateFeatureStatus } from '../../schema/features/featureInput.ts'
import { FeatureSummary, UpdateSummary } from '../../schema/features/featureSummary.ts'
import { FeatureStaleness, UpdateStaleness } from '../../schema/features/staleness.ts'
import { StaticConfiguration, UpdateStaticConfiguration } from '../../schema/features/staticConfiguration.ts'
import { DryRun } from '../dryRun.ts'
import { accessWithBody, accessWithoutBody, newRevision, withRevision } from '../operationAccess.ts'

const tag = 'Features'
const inProject = z.object({ project: ProjectReference })
const params = z.object({ project: ProjectReference, feature: FeatureReference })
/** A feature that the demo project serves to everyone, so it can be completed. */
const ofReleased = params.extend({ feature: FeatureReference.meta({ example: 'winter-banner' }) })

/** Create a feature. */
export const createFeature = defineOperation({
  ...accessWithBody('feature:write', 404, 409, 412),
  ...withRevision,
  tag,
  id: 'createFeature',
  summary: 'Create a feature',
  description:
    'An existing variable without a feature is added to this one. Returns 412 if a variation has a value for a variable that the feature does not have.',
  method: 'POST',
  path: '/v2/projects/{project}/features',
  params: inProject,
  body: CreateFeature,
  status: 201,
  response: Feature
})

/** List features. */
export const listFeatures = defineOperation({
  ...accessWithoutBody('feature:read', 404),
  tag,
  id: 'listFeatures',
  summary: 'List features',
  description: '`search` looks in names, keys, tags and descriptions.',
  method: 'GET',
  path: '/v2/projects/{project}/features',
  params: inProject,
  query: Pagination.extend({
    type: FeatureType.optional(),
    status: FeatureStatus.optional().meta({ description: 'Only features with this status. Default: all.' }),
    keys: z
      .union([z.string(), z.array(z.string())])
      .optional()
      .meta({ description: 'Features with one of these keys. Several can be separated by commas.' }),
    includeLatestUpdate: z
      .stringbool()
      .optional()
      .meta({ description: 'Whether to include `latestUpdate`. Default: false.' }),
    staleness: z.enum(['all', 'unused', 'released', 'unmodified', 'notStale']).optional().meta({
      description:
        'Features that are stale for any reason (`all`) or for this one, without silenced ones; `notStale`: the others.'
    })
  }),
  status: 200,
  response: z.array(Feature),
  responseKind: 'list'
})

/** Get a feature. */
export const getFeature = defineOperation({
  ...accessWithoutBody('feature:read', 404),
  ...withRevision,
  tag,
  id: 'getFeature',
  summary: 'Get a feature',
  method: 'GET',
  path: '/v2/projects/{project}/features/{feature}',
  params,
  status: 200,
  response: Feature
})

/** Update a feature. */
export const updateFeature = defineOperation({
  ...accessWithBody('feature:write', 404, 409, 412),
  ...newRevision,
  tag,
  id: 'updateFeature',
  summary: 'Update a feature',
  description:
    'Returns 412 if a variation that is served would be removed, if the feature is archived, or if targets or variations of a complete feature change.',
  method: 'PATCH',
  path: '/v2/projects/{project}/features/{feature}',
  params,
  body: UpdateFeature,
  status: 200,
  response: Feature
})

/** Update the status of a feature. */
export const updateFeatureStatus = defineOperation({
  ...accessWithBody('feature:write', 404, 409, 412),
  ...newRevision,
  tag,
  id: 'updateFeatureStatus',
  summary: 'Update the status of a feature',
  description:
    '`complete` and `archived` require the permission `feature:publish`. A complete feature serves one variation to all users of each environment where it is on. Its former targets are not restored when it becomes active again.',
  method: 'PATCH',
  path: '/v2/projects/{project}/features/{feature}/status',
  params: ofReleased,
  query: DryRun,
  body: UpdateFeatureStatus,
  status: 200,
  response: Feature
})

/** Get the static configuration of a feature. */
export const getStaticConfiguration = defineOperation({
  ...accessWithoutBody('feature:read', 404, 412),
  ...withRevision,
  tag,
  id: 'getStaticConfiguration',
  summary: 'Get the static configuration of a feature',
  description:
    'Only complete features have a static configuration; 412 for others. `updateFeatureStatus` completes a feature.',
  method: 'GET',
  path: '/v2/projects/{project}/features/{feature}/static-configuration',
  params: ofReleased,
  status: 200,
  response: StaticConfiguration
})

/** Update the static configuration of a feature. */
export const updateStaticConfiguration = defineOperation({
  ...accessWithBody('feature:write', 404, 409, 412),
  ...newRevision,
  tag,
  id: 'updateStaticConfiguration',
  summary: 'Update the static configuration of a feature',
  description: 'Returns 412 if the feature is not complete.',
  method: 'PATCH',
  path: '/v2/projects/{project}/features/{feature}/static-configuration',
  params: ofReleased,
  body: UpdateStaticConfiguration,
  status: 200,
  response: StaticConfiguration
})

/** Get the staleness of a feature. */
export const getFeatureStaleness = defineOperation({
  ...accessWithoutBody('feature:read', 404, 412),
  ...withRevision,
  tag,
  id: 'getFeatureStaleness',
  summary: 'Get the staleness of a feature',
  description: 'The current staleness, even if it is snoozed or disabled.',
  method: 'GET',
  path: '/v2/projects/{project}/features/{feature}/staleness',
  params,
  status: 200,
  response: FeatureStaleness
})

/** Snooze or disable the staleness of a feature. */
export const updateFeatureStaleness = defineOperation({
  ...accessWithBody('feature:write', 404, 409, 412),
  ...newRevision,
  tag,
  id: 'updateFeatureStaleness',
  summary: 'Snooze or disable the staleness of a feature',
  description: 'Does not count as a modification of the feature. Returns 412 if the feature is archived.',
  method: 'PATCH',
  path: '/v2/projects/{project}/features/{feature}/staleness',
  params,
  body: UpdateStaleness,
  status: 200,
  response: FeatureStaleness
})

/** Update the summary of a feature. */
export const updateFeatureSummary = defineOperation({
  ...accessWithBody('feature:write', 404, 409, 412),
  ...newRevision,
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
