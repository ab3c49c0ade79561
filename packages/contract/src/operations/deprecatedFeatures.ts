import { z } from 'zod'
import { defineOperation } from '../operation.ts'
import { Feature } from '../schema/feature.ts'
import { CreateFeature } from '../schema/featureInput.ts'
import { Reference } from '../schema/fields.ts'
import { IssueTracker } from '../schema/integration.ts'
import { Issue, LinkIssue } from '../schema/issue.ts'
import { Key } from '../schema/key.ts'
import {
  createFeature,
  getFeature,
  getStaticConfiguration,
  listFeatures,
  updateFeature,
  updateFeatureStatus,
  updateStaticConfiguration
} from './features.ts'
import { commandAccess, readAccess, writeAccess } from './operationAccess.ts'

const tag = 'Features (deprecated)'
const isDeprecated = true
const params = z.object({ project: Reference, feature: Reference })

/** `createFeature` at its old place. */
export const createFeatureV1 = defineOperation({
  ...createFeature,
  tag,
  isDeprecated,
  id: 'createFeatureV1',
  path: '/v1/projects/{project}/features'
})

/** Several new features. */
export const createFeatures = defineOperation({
  ...writeAccess('feature:write', 404, 409, 412),
  tag,
  id: 'createFeatures',
  summary: 'Create several features',
  description: 'All of them are created, or none.',
  method: 'POST',
  path: '/v1/projects/{project}/features/multiple',
  params: z.object({ project: Reference }),
  body: z
    .array(
      z.union([CreateFeature, Key], { error: () => 'should be a feature to create, or the key of one' }).meta({
        description: 'A key alone stands for a feature with that key and name, and everything else by default.'
      })
    )
    .min(1, 'should have at least one feature')
    .max(100, 'should have at most 100 features')
    .meta({ example: ['new-checkout', { key: 'new-search', name: 'New search' }] }),
  status: 201,
  response: z.array(Feature)
})

/** `listFeatures` at its old place. */
export const listFeaturesV1 = defineOperation({
  ...listFeatures,
  tag,
  isDeprecated,
  id: 'listFeaturesV1',
  path: '/v1/projects/{project}/features'
})

/** `getFeature` at its old place. */
export const getFeatureV1 = defineOperation({
  ...getFeature,
  tag,
  isDeprecated,
  id: 'getFeatureV1',
  path: '/v1/projects/{project}/features/{feature}'
})

/** `updateFeature` at its old place. */
export const updateFeatureV1 = defineOperation({
  ...updateFeature,
  tag,
  isDeprecated,
  id: 'updateFeatureV1',
  path: '/v1/projects/{project}/features/{feature}'
})

/** The end of a feature. */
export const deleteFeature = defineOperation({
  ...commandAccess('feature:delete', 404, 409),
  tag,
  id: 'deleteFeature',
  summary: 'Delete a feature',
  description:
    'The way to delete a feature: the current set has none of its own. Its overrides, metric associations and change requests go with it; what its audit log told stays in that of the organization. One that users of a protected environment get takes the permission `feature:publish` too.',
  method: 'DELETE',
  path: '/v1/projects/{project}/features/{feature}',
  params,
  query: z.object({
    deleteVariables: z
      .stringbool()
      .optional()
      .meta({ description: 'true or false: whether its variables go too. Default: false; they are free again.' })
  }),
  status: 200
})

/** `updateFeatureStatus` at its old place. */
export const updateFeatureStatusV1 = defineOperation({
  ...updateFeatureStatus,
  tag,
  isDeprecated,
  id: 'updateFeatureStatusV1',
  path: '/v1/projects/{project}/features/{feature}/status'
})

/** `getStaticConfiguration` at its old place. */
export const getStaticConfigurationV1 = defineOperation({
  ...getStaticConfiguration,
  tag,
  isDeprecated,
  id: 'getStaticConfigurationV1',
  path: '/v1/projects/{project}/features/{feature}/static-configuration'
})

/** `updateStaticConfiguration` at its old place. */
export const updateStaticConfigurationV1 = defineOperation({
  ...updateStaticConfiguration,
  tag,
  isDeprecated,
  id: 'updateStaticConfigurationV1',
  path: '/v1/projects/{project}/features/{feature}/static-configuration'
})

/** A feature's tie to an issue. */
export const linkIssue = defineOperation({
  ...writeAccess('feature:write', 404, 409, 412),
  tag,
  id: 'linkIssue',
  summary: 'Link a feature to an issue of the issue tracker',
  method: 'POST',
  path: '/v1/projects/{project}/features/{feature}/integrations/{issue_tracker}/issues',
  params: params.extend({ issue_tracker: IssueTracker }),
  body: LinkIssue,
  status: 201,
  response: Issue
})

/** The issues that a feature is linked to. */
export const listIssues = defineOperation({
  ...readAccess('feature:read', 404),
  tag,
  id: 'listIssues',
  summary: 'List the issues that a feature is linked to',
  method: 'GET',
  path: '/v1/projects/{project}/features/{feature}/integrations/{issue_tracker}/issues',
  params: params.extend({ issue_tracker: IssueTracker }),
  status: 200,
  response: z.array(Issue)
})

/** The end of a feature's tie to an issue. */
export const unlinkIssue = defineOperation({
  ...commandAccess('feature:write', 404),
  tag,
  id: 'unlinkIssue',
  summary: 'Unlink a feature from an issue',
  method: 'DELETE',
  path: '/v1/projects/{project}/features/{feature}/integrations/{issue_tracker}/issues/{issue_id}',
  params: params.extend({ issue_tracker: IssueTracker, issue_id: Issue.shape.issueId }),
  status: 200
})
