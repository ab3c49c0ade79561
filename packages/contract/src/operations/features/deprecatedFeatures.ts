import { z } from 'zod'
import { defineOperation } from '../../operation.ts'
import { Key } from '../../schema/common/key.ts'
import { FeatureReference, ProjectReference } from '../../schema/common/references.ts'
import { Feature } from '../../schema/features/feature.ts'
import { CreateFeature } from '../../schema/features/featureInput.ts'
import { Issue, IssueTracker, LinkIssue } from '../../schema/projects/integration.ts'
import { DryRun } from '../dryRun.ts'
import { accessWithBody, accessWithoutBody, ifMatch } from '../operationAccess.ts'
import {
  createFeature,
  getFeature,
  getStaticConfiguration,
  listFeatures,
  updateFeature,
  updateFeatureStatus,
  updateStaticConfiguration
} from './features.ts'

const tag = 'Features (deprecated)'
const isDeprecated = true
const params = z.object({ project: ProjectReference, feature: FeatureReference })

/** `createFeature` at its former path. */
export const createFeatureV1 = defineOperation({
  ...createFeature,
  tag,
  isDeprecated,
  id: 'createFeatureV1',
  path: '/v1/projects/{project}/features'
})

/** Create several features. */
export const createFeatures = defineOperation({
  ...accessWithBody('feature:write', 404, 409, 412),
  tag,
  id: 'createFeatures',
  summary: 'Create several features',
  description: 'Creates all features or none.',
  method: 'POST',
  path: '/v1/projects/{project}/features/multiple',
  params: z.object({ project: ProjectReference }),
  body: z
    .array(
      z.union([CreateFeature, Key], { error: () => 'should be a feature to create, or the key of one' }).meta({
        description: 'A feature, or only its key, which is then also the name; all other members have their defaults.'
      })
    )
    .min(1, 'should have at least one feature')
    .max(100, 'should have at most 100 features')
    .meta({ example: ['new-checkout', { key: 'new-search', name: 'New search' }] }),
  status: 201,
  response: z.array(Feature)
})

/** `listFeatures` at its former path. */
export const listFeaturesV1 = defineOperation({
  ...listFeatures,
  tag,
  isDeprecated,
  id: 'listFeaturesV1',
  path: '/v1/projects/{project}/features'
})

/** `getFeature` at its former path. */
export const getFeatureV1 = defineOperation({
  ...getFeature,
  tag,
  isDeprecated,
  id: 'getFeatureV1',
  path: '/v1/projects/{project}/features/{feature}'
})

/** `updateFeature` at its former path. */
export const updateFeatureV1 = defineOperation({
  ...updateFeature,
  tag,
  isDeprecated,
  id: 'updateFeatureV1',
  path: '/v1/projects/{project}/features/{feature}'
})

/** Delete a feature. */
export const deleteFeature = defineOperation({
  ...accessWithoutBody('feature:delete', 404, 409, 412),
  ...ifMatch,
  tag,
  id: 'deleteFeature',
  summary: 'Delete a feature',
  description:
    'Also deletes its overrides, metric associations and change requests. Its audit entries stay in the audit log of the organization. A feature that a protected environment serves also requires the permission `feature:publish`.',
  method: 'DELETE',
  path: '/v1/projects/{project}/features/{feature}',
  params,
  query: DryRun.extend({
    deleteVariables: z
      .stringbool()
      .optional()
      .meta({ description: 'Whether to delete its variables too. Default: false; they remain without a feature.' })
  }),
  status: 200
})

/** `updateFeatureStatus` at its former path. */
export const updateFeatureStatusV1 = defineOperation({
  ...updateFeatureStatus,
  tag,
  isDeprecated,
  id: 'updateFeatureStatusV1',
  path: '/v1/projects/{project}/features/{feature}/status'
})

/** `getStaticConfiguration` at its former path. */
export const getStaticConfigurationV1 = defineOperation({
  ...getStaticConfiguration,
  tag,
  isDeprecated,
  id: 'getStaticConfigurationV1',
  path: '/v1/projects/{project}/features/{feature}/static-configuration'
})

/** `updateStaticConfiguration` at its former path. */
export const updateStaticConfigurationV1 = defineOperation({
  ...updateStaticConfiguration,
  tag,
  isDeprecated,
  id: 'updateStaticConfigurationV1',
  path: '/v1/projects/{project}/features/{feature}/static-configuration'
})

/** Link a feature to an issue. */
export const linkIssue = defineOperation({
  ...accessWithBody('feature:write', 404, 409, 412),
  tag,
  id: 'linkIssue',
  summary: 'Link a feature to an issue',
  method: 'POST',
  path: '/v1/projects/{project}/features/{feature}/integrations/{issue_tracker}/issues',
  params: params.extend({ issue_tracker: IssueTracker }),
  body: LinkIssue,
  status: 201,
  response: Issue
})

/** List the linked issues of a feature. */
export const listIssues = defineOperation({
  ...accessWithoutBody('feature:read', 404),
  tag,
  id: 'listIssues',
  summary: 'List the linked issues of a feature',
  method: 'GET',
  path: '/v1/projects/{project}/features/{feature}/integrations/{issue_tracker}/issues',
  params: params.extend({ issue_tracker: IssueTracker }),
  status: 200,
  response: z.array(Issue)
})

/** Unlink a feature from an issue. */
export const unlinkIssue = defineOperation({
  ...accessWithoutBody('feature:write', 404),
  tag,
  id: 'unlinkIssue',
  summary: 'Unlink a feature from an issue',
  method: 'DELETE',
  path: '/v1/projects/{project}/features/{feature}/integrations/{issue_tracker}/issues/{issue_id}',
  params: params.extend({ issue_tracker: IssueTracker, issue_id: Issue.shape.issueId }),
  status: 200
})
