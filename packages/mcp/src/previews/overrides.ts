import { ApiError, listPage } from '@burgee/contract/client'
import { ToolError } from '../answers/toolError.ts'
import type { Call } from '../api/call.ts'
import { overridesPage } from '../api/pages.ts'
import type { Effect } from '../confirmation/effect.ts'
import { variationOf } from '../effects/changedFeature.ts'
import { clearOverrideEffect, type Overriding, setOverrideEffect } from '../effects/override.ts'
import { NAMED, quoted, quotedList } from '../quoted.ts'
import { readEnvironments, readFeature } from './read.ts'

interface Where {
  readonly feature: string
  readonly environment: string
}

/** What `set_self_targeting_override` would do. @throws {ToolError} when it could do nothing for this person. */
export async function previewSetOverride(
  { variation, ...where }: Where & { variation: string },
  call: Call
): Promise<Effect> {
  const { client, project } = call
  const [{ svcUserId }, overriding] = await Promise.all([
    client.getUserProfile({ params: { project: project() } }),
    readOverriding(where, call)
  ])
  const wanted = variationOf(overriding.feature, variation, 'variation_key')
  if (svcUserId === null) {
    const first = 'set it with update_self_targeting_identity first'
    throw new ToolError('VALIDATION_ERROR', `the caller has no svc_user_id in this project: ${first}`)
  }
  const [feature, environment] = [overriding.feature.key, overriding.environment.key].map(quoted)
  const message = `the caller gets variation ${quoted(wanted.key)} of feature ${feature} in environment ${environment} already`
  return {
    ...setOverrideEffect(wanted, overriding, svcUserId),
    unchanged: { result: { message }, dashboardPage: overridesPage }
  }
}

/** What `clear_feature_self_targeting_overrides` would do. */
export async function previewClearOverride(where: Where, call: Call): Promise<Effect> {
  const overriding = await readOverriding(where, call)
  const [feature, environment] = [overriding.feature.key, overriding.environment.key].map(quoted)
  const message = `there was no override of feature ${feature} in environment ${environment}`
  return { ...clearOverrideEffect(overriding), unchanged: { result: { message }, dashboardPage: overridesPage } }
}

async function readOverriding({ feature: key, environment: reference }: Where, call: Call): Promise<Overriding> {
  const { client, project } = call
  const [feature, environment] = await Promise.all([
    orNamed(readFeature(call, key), () => strangeFeature(key, call)),
    orNamed(client.getEnvironment({ params: { project: project(), key: reference } }), async () =>
      stranger('environment', reference, (await readEnvironments(call)).map(keyOf))
    )
  ])
  const params = { project: project(), feature: key }
  const { overrides } = await client.getCurrentFeatureOverrides({ params, query: { environment: reference } })
  return { feature, environment, chosen: overrides[0]?._variation }
}

/** What is read; where it is not there, says which of the parameters names it. */
async function orNamed<T>(read: Promise<T>, naming: () => Promise<ToolError>): Promise<T> {
  return read.catch(async (error) => {
    throw error instanceof ApiError && error.status === 404 ? await naming() : error
  })
}

async function strangeFeature(reference: string, { client, project }: Call): Promise<ToolError> {
  const params = { project: project() }
  const { items, count } = await listPage(client.listFeatures, { params, query: { perPage: NAMED } })
  return stranger('feature', reference, items.map(keyOf), count)
}

function stranger(what: string, reference: string, known: readonly string[], count = known.length): ToolError {
  const more = count > known.length ? ` and ${count - known.length} more` : ''
  const wanted = `the key or id of ${what === 'feature' ? 'a feature' : 'an environment'} of the project`
  const there = `${quotedList(known)}${more}`
  return new ToolError('RESOURCE_NOT_FOUND', `${what}_key should be ${wanted} (${there}), got ${quoted(reference)}`)
}

function keyOf({ key }: { readonly key: string }): string {
  return key
}
