import { operations } from '@burgee/contract'
import { CurrentOverride, Override, UserProfile } from '@burgee/contract/schemas'
import { z } from 'zod'
import { overridesPage } from '../api/pages.ts'
import { previewIdentity } from '../previews/identity.ts'
import { previewClearOverride, previewSetOverride } from '../previews/overrides.ts'
import { quoted } from '../quoted.ts'
import { tool } from '../tool.ts'
import { input, projectKey } from './input.ts'

/** Who the caller is as a user of the applications. */
export const getSelfTargetingIdentity = tool({
  name: 'get_self_targeting_identity',
  title: 'Get self-targeting identity',
  category: 'self-targeting',
  description: 'The user_id that the caller has in the applications, to which their overrides apply.',
  changes: 'nothing',
  permissions: ['project:read'],
  input: input({ ...projectKey }),
  output: UserProfile,
  run: async (_, { client, project }) => {
    return { result: await client.getUserProfile({ params: { project: project() } }), dashboardPage: overridesPage }
  }
})

const { svcUserId } = operations.updateUserProfile.body.shape

/** Who the caller is from now on. */
export const updateSelfTargetingIdentity = tool({
  name: 'update_self_targeting_identity',
  title: 'Update self-targeting identity',
  category: 'self-targeting',
  description:
    'Says which user_id the application gives to its SDK for the caller, whose overrides go over to it: affects production. An empty text forgets it, and them.',
  changes: 'replaces',
  permissions: ['feature:read', 'environment:read', 'project:read'],
  input: input({ svc_user_id: svcUserId.unwrap().unwrap(), ...projectKey }),
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

/** An empty text says that it is not known any more. */
function identityOf(text: string): string | null {
  return text.trim() || null
}

/** What the caller overrides. */
export const listSelfTargetingOverrides = tool({
  name: 'list_self_targeting_overrides',
  title: 'List self-targeting overrides',
  category: 'self-targeting',
  description: 'The overrides that the caller has in the project.',
  changes: 'nothing',
  permissions: ['project:read'],
  input: input({ ...projectKey }),
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

/** Which variation the caller gets from now on. */
export const setSelfTargetingOverride = tool({
  name: 'set_self_targeting_override',
  title: 'Set self-targeting override',
  category: 'self-targeting',
  description:
    'Has the caller alone get a variation, whatever the targets say. Set their identity first. Affects production.',
  changes: 'replaces',
  permissions: ['feature:read', 'environment:read', 'project:read'],
  input: input({ feature_key: feature, environment_key: environment, variation_key: variation, ...projectKey }),
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

/** The end of an override. */
export const clearFeatureSelfTargetingOverrides = tool({
  name: 'clear_feature_self_targeting_overrides',
  title: 'Clear self-targeting overrides of a feature',
  category: 'self-targeting',
  description: 'Has the caller get what the targets say again, in one environment. Affects production.',
  changes: 'replaces',
  permissions: ['feature:read', 'environment:read', 'project:read'],
  input: input({ feature_key: feature, environment_key: environment, ...projectKey }),
  output: z.object({ message: z.string() }),
  preview: ({ feature_key, environment_key }, call) => {
    return previewClearOverride({ feature: feature_key, environment: environment_key }, call)
  },
  run: async ({ feature_key, environment_key }, { client, project }) => {
    const params = { project: project(), feature: feature_key }
    await client.deleteFeatureOverride({ params, query: { environment: environment_key } })
    const [feature, environment] = [feature_key, environment_key].map(quoted)
    return {
      result: { message: `there is no override of feature ${feature} in environment ${environment} any more` },
      dashboardPage: overridesPage
    }
  }
})
