import type { Call } from '../api/call.ts'
import { overridesPage } from '../api/pages.ts'
import type { Effect } from '../confirmation/effect.ts'
import { identityEffect } from '../effects/identity.ts'
import { readEnvironments } from './read.ts'

/** What `update_self_targeting_identity` would do; nothing to ask about where the caller overrides nothing. */
export async function previewIdentity(svcUserId: string | null, call: Call): Promise<Effect | undefined> {
  const { client, project } = call
  const params = { project: project() }
  const overrides = await client.listCurrentOverrides({ params })
  if (overrides.length === 0) return undefined
  const [profile, environments] = await Promise.all([client.getUserProfile({ params }), readEnvironments(call)])
  const unchanged = { result: profile, dashboardPage: overridesPage }
  return { ...identityEffect(svcUserId, { profile, overrides, environments }), unchanged }
}
