import { operations } from '@burgee/contract'
import { ApiError, listPage } from '@burgee/contract/client'
import {
  CreateFeature,
  type Environment,
  Feature,
  FeatureConfiguration,
  UpdateFeature,
  UpdateFeatureStatus
} from '@burgee/contract/schemas'
import { z } from 'zod'
import type { Call } from '../api/call.ts'
import { featurePage, featuresPage } from '../api/dashboardPages.ts'
import { readEnvironments, readFeature } from '../api/read.ts'
import { ActivationRequested, ChangeRequested, withChangeRequest } from '../approvals/changeRequest.ts'
import { createFeatureWithApproval } from '../approvals/createFeatureWithApproval.ts'
import { hasTargetsWithoutId, matchTargets } from '../plan/state/matchTargets.ts'
import {
  previewCreateFeature,
  previewDeleteFeature,
  previewUpdateFeature,
  previewUpdateFeatureStatus
} from '../preview/features.ts'
import { readFeatureWithEnvironments } from '../preview/read.ts'
import { formatQuoted } from '../results/formatQuoted.ts'
import { tool } from '../tool.ts'
import { listParameters, pageInfo, parameters, projectKey } from './parameters.ts'
import { FeatureSummary, summarizeFeature } from './summaries.ts'

/** A feature whose configurations also have the keys of their environments. */
const FeatureDetails = Feature.extend({
  configurations: z.array(FeatureConfiguration.extend({ environment: z.string().optional() }))
})

const { shape: listed } = operations.listFeatures.query
const { feature: reference } = operations.getFeature.params.shape

export const listFeatures = tool({
  name: 'list_features',
  title: 'List feature flags',
  category: 'features',
  description: 'Lists features in brief, with the environments where they are on.',
  access: 'reads',
  permissions: ['feature:read'],
  input: parameters({
    ...listParameters,
    staleness: listed.staleness.meta({ description: '`all`: stale for any reason.' }),
    createdBy: listed.createdBy,
    type: listed.type,
    status: listed.status,
    ...projectKey
  }),
  output: z.array(FeatureSummary),
  run: async ({ projectKey: _, ...query }, call) => {
    const { client, project } = call
    const { items, count } = await listPage(client.listFeatures, { params: { project: project() }, query })
    const environments = items.length === 0 ? [] : await readVisibleEnvironments(call)
    return {
      result: items.map((feature) => summarizeFeature(feature, environments)),
      dashboardPage: featuresPage(project()),
      page: pageInfo(query, count)
    }
  }
})

export const getFeature = tool({
  name: 'get_feature',
  title: 'Get a feature flag',
  category: 'features',
  description: 'A feature in full, with values and targets.',
  access: 'reads',
  permissions: ['feature:read'],
  input: parameters({ key: reference, ...projectKey }),
  output: FeatureDetails,
  run: async ({ key }, call) => {
    const [feature, environments] = await Promise.all([readFeature(call, key), readVisibleEnvironments(call)])
    const configurations = feature.configurations.map((configuration) => {
      const environment = environments.find(({ _id }) => _id === configuration._environment)
      return { ...(environment ? { environment: environment.key } : {}), ...configuration }
    })
    return {
      result: { ...feature, configurations },
      dashboardPage: featurePage(call.project(), feature.key, 'overview')
    }
  }
})

/** Without the permission to read environments, features are returned without their keys. */
async function readVisibleEnvironments(call: Call): Promise<readonly Environment[]> {
  return readEnvironments(call).catch((error) => {
    if (error instanceof ApiError && error.status === 403) return []
    throw error
  })
}

const { shape: creating } = CreateFeature

/** Descriptions of existing features do not apply to new ones. */
const created = {
  ...creating,
  settings: creating.settings.meta({ description: '' }),
  sdkVisibility: creating.sdkVisibility.meta({ description: '' })
}

export const createFeature = tool({
  name: 'create_feature',
  title: 'Create a feature flag',
  category: 'features',
  description:
    'Ask the person what they want. Then pass variables, variations (default: one Boolean with the key of the feature, variation-on and variation-off) and, for development at least, an active configuration, whose targets serve a variation to all users. Values are native JSON types; percentages go from 0 to 1. Name every target. An active configuration is live. A filter is {type: all}, {type: user, subType, comparator, values} (for customData also dataKey, dataKeyType) or {type: audienceMatch, _audiences}.',
  access: 'creates',
  permissions: ['feature:write', 'feature:read', 'environment:read', 'project:read'],
  input: parameters({ ...created, ...projectKey }),
  describedElsewhere: { validationSchema: 'create_variable' },
  // A new variable is in the feature that it is created with.
  hiddenProperties: ['_feature', 'metadata', 'copiedFrom'],
  output: z.union([Feature, ActivationRequested]),
  preview: ({ projectKey: _, ...body }, call) => previewCreateFeature(body, call),
  run: async ({ projectKey: _, ...body }, call) => {
    return {
      result: await createFeatureWithApproval(body, call),
      dashboardPage: featurePage(call.project(), body.key, 'overview')
    }
  }
})

const { staleness: _, ...changeable } = UpdateFeature.shape

/** Omitted members stay, so the defaults of new features do not apply. */
const updated = {
  ...changeable,
  controlVariation: changeable.controlVariation.meta({ description: 'Key or id: metrics compare others with it.' }),
  configurations: changeable.configurations.meta({ description: 'By key or id of the environment.' })
}

export const updateFeature = tool({
  name: 'update_feature',
  title: 'Update a feature flag',
  category: 'features',
  description:
    'Changes only the given members, in the form of create_feature. Lists replace the whole list: read the feature first and include what should stay. Targets keep their users by _id, else by name. To turn it on or off in an environment, send only its status. Affects production.',
  access: 'updates',
  permissions: ['feature:write', 'feature:read', 'environment:read', 'project:read'],
  input: parameters({ ...updated, key: reference, ...projectKey }),
  describedElsewhere: {
    variables: 'create_feature',
    audience: 'create_feature',
    rollout: 'create_feature',
    settings: 'create_feature',
    sdkVisibility: 'create_feature'
  },
  // A target keeps it.
  hiddenProperties: ['copiedFrom'],
  output: z.union([Feature, ChangeRequested]),
  preview: ({ projectKey: _, key, ...body }, call) => previewUpdateFeature(key, body, call),
  run: async ({ projectKey: _, key, ...given }, call) => {
    const { client, project } = call
    const body = hasTargetsWithoutId(given) ? matchTargets(given, await readFeatureWithEnvironments(call, key)) : given
    const update = () => client.updateFeature({ params: { project: project(), feature: key }, body })
    const result = await withChangeRequest(update, { toolName: 'update_feature', feature: key, body }, call)
    return { result, dashboardPage: featurePage(project(), 'key' in result ? result.key : key, 'manage-feature') }
  }
})

export const updateFeatureStatus = tool({
  name: 'update_feature_status',
  title: 'Update the status of a feature flag',
  category: 'features',
  description:
    'Completes a feature (all users get staticVariation wherever it is on), archives it (no user gets it), or reactivates it. Affects production.',
  access: 'updates',
  permissions: ['feature:write', 'feature:publish', 'feature:read', 'environment:read', 'project:read'],
  // A person decides in the dashboard to complete a feature that code still reads.
  input: parameters({
    key: reference,
    status: UpdateFeatureStatus.shape.status,
    staticVariation: UpdateFeatureStatus.shape.staticVariation,
    ...projectKey
  }),
  output: z.union([Feature, ChangeRequested]),
  preview: ({ projectKey: _, key, ...body }, call) => previewUpdateFeatureStatus(key, body, call),
  run: async ({ projectKey: _, key, ...body }, call) => {
    const { client, project } = call
    const update = () => client.updateFeatureStatus({ params: { project: project(), feature: key }, body })
    const change = { toolName: 'update_feature_status', feature: key, part: '/status', body } as const
    const result = await withChangeRequest(update, change, call)
    return { result, dashboardPage: featurePage(project(), 'key' in result ? result.key : key, 'overview') }
  }
})

export const deleteFeature = tool({
  name: 'delete_feature',
  title: 'Delete a feature flag',
  category: 'features',
  description: 'Permanently removes a feature from every environment. Consider archiving it instead.',
  access: 'deletes',
  permissions: ['feature:delete', 'feature:publish', 'feature:read', 'environment:read'],
  input: parameters({ key: reference, ...projectKey }),
  output: z.object({ message: z.string() }),
  preview: ({ key }, call) => previewDeleteFeature(key, call),
  run: async ({ key }, { client, project }) => {
    await client.deleteFeature({ params: { project: project(), feature: key } })
    return {
      result: { message: `feature ${formatQuoted(key)} was deleted from every environment` },
      dashboardPage: featuresPage(project())
    }
  }
})
