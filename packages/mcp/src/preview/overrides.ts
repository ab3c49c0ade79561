import { ApiError, listPage } from '@burgee/contract/client'
import type { Call } from '../api/call.ts'
import { overridesPage } from '../api/dashboardPages.ts'
import { readEnvironments, readFeature } from '../api/read.ts'
import { type OverrideContext, planClearOverride, planSetOverride } from '../plan/override.ts'
import type { Plan } from '../plan/plan.ts'
import { getVariation } from '../plan/state/applyUpdate.ts'
import { formatQuoted, formatQuotedList, MAX_NAMES } from '../results/formatQuoted.ts'
import { ToolError } from '../results/toolError.ts'

interface OverrideLocation {
  readonly feature: string
  readonly environment: string
}

/** Previews `set_self_targeting_override`. @throws {ToolError} when the caller has no identity in the project. */
export async function previewSetOverride(
  { variation, ...where }: OverrideLocation & { variation: string },
  call: Call
): Promise<Plan> {
  const { client, project } = call
  const [{ svcUserId }, override] = await Promise.all([
    client.getUserProfile({ params: { project: project() } }),
    readOverrideContext(where, call)
  ])
  const wanted = getVariation(override.feature, variation, 'variation_key')
  if (svcUserId === null) {
    const advice = 'set it with update_self_targeting_identity first'
    throw new ToolError('VALIDATION_ERROR', `the caller has no svc_user_id in this project: ${advice}`)
  }
  const [feature, environment] = [override.feature.key, override.environment.key].map(formatQuoted)
  const message = `the caller already gets variation ${formatQuoted(wanted.key)} of feature ${feature} in environment ${environment}`
  return {
    ...planSetOverride(wanted, override, svcUserId),
    unchanged: { result: { message }, dashboardPage: overridesPage }
  }
}

/** Previews `clear_feature_self_targeting_overrides`. */
export async function previewClearOverride(where: OverrideLocation, call: Call): Promise<Plan> {
  const override = await readOverrideContext(where, call)
  const [feature, environment] = [override.feature.key, override.environment.key].map(formatQuoted)
  const message = `the caller has no override of feature ${feature} in environment ${environment}`
  return { ...planClearOverride(override), unchanged: { result: { message }, dashboardPage: overridesPage } }
}

async function readOverrideContext(
  { feature: key, environment: reference }: OverrideLocation,
  call: Call
): Promise<OverrideContext> {
  const { client, project } = call
  const environmentRequest = {
    params: { project: project(), key: reference },
    query: { includeSdkKeys: 'false' }
  }
  const [feature, environment] = await Promise.all([
    withUnknownReference(readFeature(call, key), () => unknownFeature(key, call)),
    withUnknownReference(client.getEnvironment(environmentRequest), async () =>
      unknownReference('environment', reference, (await readEnvironments(call)).map(keyOf))
    )
  ])
  const params = { project: project(), feature: key }
  const { overrides } = await client.getCurrentFeatureOverrides({ params, query: { environment: reference } })
  return { feature, environment, currentVariationId: overrides[0]?._variation }
}

/** Replaces a 404 with an error that names the parameter. */
async function withUnknownReference<T>(read: Promise<T>, toError: () => Promise<ToolError>): Promise<T> {
  return read.catch(async (error) => {
    throw error instanceof ApiError && error.status === 404 ? await toError() : error
  })
}

async function unknownFeature(reference: string, { client, project }: Call): Promise<ToolError> {
  const params = { project: project() }
  const { items, count } = await listPage(client.listFeatures, { params, query: { perPage: MAX_NAMES } })
  return unknownReference('feature', reference, items.map(keyOf), count)
}

function unknownReference(kind: string, reference: string, known: readonly string[], count = known.length): ToolError {
  const more = count > known.length ? ` and ${count - known.length} more` : ''
  const wanted = `the key or id of ${kind === 'feature' ? 'a feature' : 'an environment'} of the project`
  const existing = `${formatQuotedList(known)}${more}`
  return new ToolError(
    'RESOURCE_NOT_FOUND',
    `${kind}_key must be ${wanted} (${existing}), got ${formatQuoted(reference)}`
  )
}

function keyOf({ key }: { readonly key: string }): string {
  return key
}
