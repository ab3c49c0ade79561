import { operations } from '@burgee/contract'
import { listPage } from '@burgee/contract/client'
import { CreateFeature, Feature, UpdateFeature, UpdateFeatureStatus } from '@burgee/contract/schemas'
import { z } from 'zod'
import { featurePage, featuresPage } from '../api/pages.ts'
import { createOrRequest } from '../approvals/createInactive.ts'
import { CreatedAndRequested, orRequested, Requested } from '../approvals/requested.ts'
import { hasNewTargets, withSameTargets } from '../effects/sameTargets.ts'
import {
  previewCreateFeature,
  previewDeleteFeature,
  previewUpdateFeature,
  previewUpdateFeatureStatus
} from '../previews/features.ts'
import { readTargets } from '../previews/read.ts'
import { quoted } from '../quoted.ts'
import { tool } from '../tool.ts'
import { input, ofList, projectKey } from './input.ts'
import { pagingOf } from './paging.ts'

const { shape: listed } = operations.listFeatures.query
const { feature: reference } = operations.getFeature.params.shape

/** The features of a project. */
export const listFeatures = tool({
  name: 'list_features',
  title: 'List feature flags',
  category: 'features',
  description: 'Lists features with their variables, variations and, for each environment, targeting.',
  changes: 'nothing',
  permissions: ['feature:read'],
  input: input({
    ...ofList,
    staleness: listed.staleness.meta({ description: '`all`: stale for any reason. `notStale`: the others.' }),
    createdBy: listed.createdBy,
    type: listed.type,
    status: listed.status,
    ...projectKey
  }),
  output: z.array(Feature),
  run: async ({ projectKey: _, ...query }, { client, project }) => {
    const { items, count } = await listPage(client.listFeatures, { params: { project: project() }, query })
    return { result: items, dashboardPage: featuresPage(project()), paging: pagingOf(query, count) }
  }
})

const { shape: creating } = CreateFeature

/** What is true of a feature that is there is left unsaid of a new one. */
const created = {
  ...creating,
  settings: creating.settings.meta({ description: '' }),
  sdkVisibility: creating.sdkVisibility.meta({ description: '' })
}

/** A new feature. */
export const createFeature = tool({
  name: 'create_feature',
  title: 'Create a feature flag',
  category: 'features',
  description:
    'Ask the person what they want. Then give variables, variations (both left out: one Boolean with the key of the feature, variation-on and variation-off) and, for development at least, an active configuration, whose targets serve a variation to everybody. Values are native JSON types; percentages go from 0 to 1. Name every target. An active configuration is live. A filter is {type: all}, {type: user, subType, comparator, values} (for customData also dataKey, dataKeyType) or {type: audienceMatch, _audiences}.',
  changes: 'adds',
  permissions: ['feature:write', 'feature:read', 'environment:read', 'project:read'],
  input: input({ ...created, ...projectKey }),
  elsewhere: { validationSchema: 'create_variable' },
  // A variable of a feature is in no other.
  unlisted: ['_feature', 'metadata'],
  output: z.union([Feature, CreatedAndRequested]),
  preview: ({ projectKey: _, ...body }, call) => previewCreateFeature(body, call),
  run: async ({ projectKey: _, ...body }, call) => {
    return {
      result: await createOrRequest(body, call),
      dashboardPage: featurePage(call.project(), body.key, 'overview')
    }
  }
})

const { staleness: _, ...changeable } = UpdateFeature.shape

/** What is left out stays: there are no defaults. */
const updated = {
  ...changeable,
  controlVariation: changeable.controlVariation.meta({ description: 'Key or id: metrics compare others with it.' }),
  configurations: changeable.configurations.meta({ description: 'By key or id of the environment.' })
}

/** Changes of a feature. */
export const updateFeature = tool({
  name: 'update_feature',
  title: 'Update a feature flag',
  category: 'features',
  description:
    'Changes what is given and leaves the rest; parts look as in create_feature. Lists replace the whole list: read the feature first and send what should stay too. Targets keep their users by _id, else by name. To switch an environment on or off send its status alone. Affects production.',
  changes: 'replaces',
  permissions: ['feature:write', 'feature:read', 'environment:read', 'project:read'],
  input: input({ ...updated, key: reference, ...projectKey }),
  elsewhere: {
    variables: 'create_feature',
    audience: 'create_feature',
    rollout: 'create_feature',
    settings: 'create_feature',
    sdkVisibility: 'create_feature'
  },
  output: z.union([Feature, Requested]),
  preview: ({ projectKey: _, key, ...body }, call) => previewUpdateFeature(key, body, call),
  run: async ({ projectKey: _, key, ...given }, call) => {
    const { client, project } = call
    const body = hasNewTargets(given) ? withSameTargets(given, await readTargets(call, key)) : given
    const update = () => client.updateFeature({ params: { project: project(), feature: key }, body })
    const result = await orRequested(update, { toolName: 'update_feature', feature: key, body }, call)
    return { result, dashboardPage: featurePage(project(), 'key' in result ? result.key : key, 'manage-feature') }
  }
})

/** How far a feature has come. */
export const updateFeatureStatus = tool({
  name: 'update_feature_status',
  title: 'Update the status of a feature flag',
  category: 'features',
  description:
    'Completes a feature (everybody gets staticVariation wherever it is on), archives it (nobody gets it), or makes it active again. Affects production.',
  changes: 'replaces',
  permissions: ['feature:write', 'feature:publish', 'feature:read', 'environment:read', 'project:read'],
  input: input({ key: reference, ...UpdateFeatureStatus.shape, ...projectKey }),
  output: z.union([Feature, Requested]),
  preview: ({ projectKey: _, key, ...body }, call) => previewUpdateFeatureStatus(key, body, call),
  run: async ({ projectKey: _, key, ...body }, call) => {
    const { client, project } = call
    const update = () => client.updateFeatureStatus({ params: { project: project(), feature: key }, body })
    const wanted = { toolName: 'update_feature_status', feature: key, part: '/status', body } as const
    const result = await orRequested(update, wanted, call)
    return { result, dashboardPage: featurePage(project(), 'key' in result ? result.key : key, 'overview') }
  }
})

/** The end of a feature. */
export const deleteFeature = tool({
  name: 'delete_feature',
  title: 'Delete a feature flag',
  category: 'features',
  description: 'Removes a feature from every environment, for good. Consider archiving it instead.',
  changes: 'removes',
  permissions: ['feature:delete', 'feature:publish', 'feature:read', 'environment:read'],
  input: input({ key: reference, ...projectKey }),
  output: z.object({ message: z.string() }),
  preview: ({ key }, call) => previewDeleteFeature(key, call),
  run: async ({ key }, { client, project }) => {
    await client.deleteFeature({ params: { project: project(), feature: key } })
    return {
      result: { message: `feature ${quoted(key)} is deleted from every environment` },
      dashboardPage: featuresPage(project())
    }
  }
})
