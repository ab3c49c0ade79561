import { type CreateFeature, type Environment, type Feature, isProtected } from '@burgee/contract/schemas'
import type { Call } from '../api/call.ts'
import { readEnvironments } from '../api/read.ts'
import { formatQuoted, formatQuotedList } from '../results/formatQuoted.ts'
import { messageOf } from '../results/toolFailure.ts'
import { type ActivationRequested, needsApproval, requestChange } from './changeRequest.ts'

/**
 * Creates a feature. If activation in protected environments requires approval, creates it turned off there and
 * submits a change request. Other environments get the status that the body gives them.
 */
export async function createFeatureWithApproval(
  body: CreateFeature,
  call: Call
): Promise<Feature | ActivationRequested> {
  const { client, project } = call
  const params = { project: project() }
  try {
    return await client.createFeature({ params, body })
  } catch (error) {
    if (!needsApproval(error)) throw error
    const { on, waiting } = divideActivation(body, await readEnvironments(call))
    if (waiting.length === 0) throw error
    const feature = await client.createFeature({ params, body: switchedOff(body, waiting) })
    const where = on.length === 0 ? 'off in every environment' : `on in ${formatQuotedList(on)}`
    const created = `Feature ${formatQuoted(feature.key)} is created, and ${where}.`
    return { feature, ...(await requestActivation(feature, waiting, created, call)) }
  }
}

/** Divides the environments in which the body turns the feature on, which it names by key or id. */
function divideActivation({ configurations = {} }: CreateFeature, environments: readonly Environment[]) {
  const active = Object.keys(configurations).filter((reference) => configurations[reference]?.status === 'active')
  const known = environments.filter(isProtected).flatMap(({ key, _id }) => [key, _id])
  return {
    on: active.filter((reference) => !known.includes(reference)),
    waiting: active.filter((reference) => known.includes(reference))
  }
}

/** Requests the activation. The feature already exists, so a failure is reported in the result instead of thrown. */
async function requestActivation(
  { key: feature }: Feature,
  waiting: readonly string[],
  created: string,
  call: Call
): Promise<Omit<ActivationRequested, 'feature'>> {
  const configurations = Object.fromEntries(waiting.map((environment) => [environment, { status: 'active' }]))
  const where = formatQuotedList(waiting)
  try {
    const change = { toolName: 'create_feature', feature, body: { configurations } }
    const { changeRequest } = await requestChange(change, call)
    const message = `${created} Change request ${changeRequest._id}, which turns it on in ${where}, needs a review by another person, and must be applied once it is approved.`
    return { changeRequest, message }
  } catch (error) {
    const message = `${created} Turning it on in ${where} requires approval, and the change request failed (${messageOf(error)}). Request it again with update_feature.`
    return { message }
  }
}

function switchedOff({ configurations = {}, ...body }: CreateFeature, waiting: readonly string[]): CreateFeature {
  const statuses = Object.entries(configurations).map(([environment, configuration]) => [
    environment,
    waiting.includes(environment) ? { ...configuration, status: 'inactive' } : configuration
  ])
  return { ...body, configurations: Object.fromEntries(statuses) }
}
