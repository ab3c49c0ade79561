import type { CreateFeature, Feature } from '@burgee/contract/schemas'
import type { Call } from '../api/call.ts'
import { formatQuoted, formatQuotedList } from '../formatQuoted.ts'
import { messageOf } from '../results/toolFailure.ts'
import { needsApproval, requestChange } from './changeRequest.ts'

/** A feature that was created switched off, and the change request for switching it on. */
type CreatedInactive = { readonly feature: Feature; readonly message: string; readonly changeRequest?: unknown }

/** Creates a feature. If activation requires approval, creates it switched off and submits a change request. */
export async function createFeatureWithApproval(body: CreateFeature, call: Call): Promise<Feature | CreatedInactive> {
  const { client, project } = call
  const params = { project: project() }
  try {
    return await client.createFeature({ params, body })
  } catch (error) {
    const active = activeEnvironments(body)
    if (!needsApproval(error) || active.length === 0) throw error
    const feature = await client.createFeature({ params, body: withoutActivation(body) })
    return { feature, ...(await requestActivation(feature, active, call)) }
  }
}

/** Requests the activation. The feature already exists, so a failure is reported in the result instead of thrown. */
async function requestActivation(
  { key }: Feature,
  active: readonly string[],
  call: Call
): Promise<Omit<CreatedInactive, 'feature'>> {
  const configurations = Object.fromEntries(active.map((environment) => [environment, { status: 'active' }]))
  const change = { toolName: 'create_feature', feature: key, body: { configurations } }
  const name = formatQuoted(key)
  const where = formatQuotedList(active)
  try {
    const { changeRequest } = await requestChange(change, call)
    const message = `Feature ${name} is created, and off in every environment. Change request ${changeRequest._id}, which switches it on in ${where}, needs a review by another person.`
    return { changeRequest, message }
  } catch (error) {
    const message = `Feature ${name} is created, and off in every environment. Switching it on in ${where} requires approval, and the change request failed (${messageOf(error)}). Request it again with update_feature.`
    return { message }
  }
}

function activeEnvironments({ configurations = {} }: CreateFeature): readonly string[] {
  return Object.entries(configurations).flatMap(([environment, { status }]) =>
    status === 'active' ? [environment] : []
  )
}

function withoutActivation({ configurations = {}, ...body }: CreateFeature): CreateFeature {
  const off = Object.entries(configurations).map(([environment, configuration]) => [
    environment,
    { ...configuration, status: 'inactive' }
  ])
  return { ...body, configurations: Object.fromEntries(off) }
}
