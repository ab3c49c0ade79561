import { operations } from '@burgee/contract'
import { CurrentOverride, Override, UserProfile } from '@burgee/contract/schemas'
import { z } from 'zod'
import { overridesPage } from '../api/dashboardPages.ts'
import { previewIdentity } from '../preview/identity.ts'
import { previewClearOverride, previewSetOverride } from '../preview/overrides.ts'
import { formatQuoted } from '../results/formatQuoted.ts'
import { tool } from '../tool.ts'
import { parameters, projectKey } from './parameters.ts'

export const getSelfTargetingIdentity = tool({
  name: 'get_self_targeting_identity',
  title: 'Get self-targeting identity',
  category: 'self-targeting',
  description: 'The user_id of the caller, to which their overrides apply.',
  access: 'reads',
  permissions: ['project:read'],
  input: parameters({ ...projectKey }),
  output: UserProfile,
  run: async (_, { client, project }) => {
    return { result: await client.getUserProfile({ params: { project: project() } }), dashboardPage: overridesPage }
  }
})

const { svcUserId } = operations.updateUserProfile.body.shape

export const updateSelfTargetingIdentity = tool({
  name: 'update_self_targeting_identity',
  title: 'Update self-targeting identity',
  category: 'self-targeting',
  description:
    'Sets the user_id of the caller in the applications. Their overrides move to it: affects production. An empty string removes both.',
  access: 'updates',
  permissions: ['feature:read', 'environment:read', 'project:read'],
  input: parameters({ svc_user_id: svcUserId.unwrap().unwrap(), ...projectKey }),
  output: UserProfile,
  preview: ({ svc_user_id }, call) => previewIdentity(identityOf(svc_user_id), call),
  run: async ({ svc_user_id }, { client, project }) => {
    const body = { svcUserId: identityOf(svc_user_id) }
    return {
      result: await client.updateUserProfile({ params: { project: project() }, body }),
      dashboardPage: overridesPage
    }
  }
})

/** An empty text removes the identity. */
function identityOf(text: string): string | null {
  return text.trim() || null
}

export const listSelfTargetingOverrides = tool({
  name: 'list_self_targeting_overrides',
  title: 'List self-targeting overrides',
  category: 'self-targeting',
  description: 'The overrides that the caller has in the project.',
  access: 'reads',
  permissions: ['project:read'],
  input: parameters({ ...projectKey }),
  output: z.array(CurrentOverride),
  run: async (_, { client, project }) => {
    return {
      result: await client.listCurrentOverrides({ params: { project: project() } }),
      dashboardPage: overridesPage
    }
  }
})

const { feature } = operations.updateFeatureOverride.params.shape
const { environment, variation } = operations.updateFeatureOverride.body.shape

export const setSelfTargetingOverride = tool({
  name: 'set_self_targeting_override',
  title: 'Set self-targeting override',
  category: 'self-targeting',
  description:
    'Serves a variation to the caller alone, regardless of targets. Set their identity first. Affects production.',
  access: 'updates',
  permissions: ['feature:read', 'environment:read', 'project:read'],
  input: parameters({ feature_key: feature, environment_key: environment, variation_key: variation, ...projectKey }),
  output: z.union([Override, z.object({ message: z.string() })]),
  preview: ({ feature_key, environment_key, variation_key }, call) => {
    return previewSetOverride({ feature: feature_key, environment: environment_key, variation: variation_key }, call)
  },
  run: async ({ feature_key, environment_key, variation_key }, { client, project }) => {
    const params = { project: project(), feature: feature_key }
    const body = { environment: environment_key, variation: variation_key }
    return { result: await client.updateFeatureOverride({ params, body }), dashboardPage: overridesPage }
  }
})

export const clearFeatureSelfTargetingOverrides = tool({
  name: 'clear_feature_self_targeting_overrides',
  title: 'Clear self-targeting overrides of a feature',
  category: 'self-targeting',
  description: 'Ends an override of the caller in one environment: targets decide again. Affects production.',
  access: 'updates',
  permissions: ['feature:read', 'environment:read', 'project:read'],
  input: parameters({ feature_key: feature, environment_key: environment, ...projectKey }),
  output: z.object({ message: z.string() }),
  preview: ({ feature_key, environment_key }, call) => {
    return previewClearOverride({ feature: feature_key, environment: environment_key }, call)
  },
  run: async ({ feature_key, environment_key }, { client, project }) => {
    const params = { project: project(), feature: feature_key }
    await client.deleteFeatureOverride({ params, query: { environment: environment_key } })
    const [feature, environment] = [feature_key, environment_key].map(formatQuoted)
    return {
      result: { message: `the override of feature ${feature} in environment ${environment} was removed` },
      dashboardPage: overridesPage
    }
  }
})
