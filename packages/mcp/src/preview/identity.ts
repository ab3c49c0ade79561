import type { Call } from '../api/call.ts'
import { overridesPage } from '../api/dashboardPages.ts'
import { readEnvironments } from '../api/read.ts'
import type { Plan } from '../plan/plan.ts'
import { planUpdateIdentity } from '../plan/updateIdentity.ts'

/** Previews `update_self_targeting_identity`. Returns `undefined` when the caller has no overrides. */
export async function previewIdentity(svcUserId: string | null, call: Call): Promise<Plan | undefined> {
  const { client, project } = call
  const params = { project: project() }
  const overrides = await client.listCurrentOverrides({ params })
  if (overrides.length === 0) return undefined
  const [profile, environments] = await Promise.all([client.getUserProfile({ params }), readEnvironments(call)])
  const unchanged = { result: profile, dashboardPage: overridesPage }
  return { ...planUpdateIdentity(svcUserId, { profile, overrides, environments }), unchanged }
}
