import type { CreateFeature, Feature } from '@burgee/contract/schemas'
import { messageOf } from '../answers/failure.ts'
import type { Call } from '../api/call.ts'
import { quoted, quotedList } from '../quoted.ts'
import { needsApproval, requestChange } from './requested.ts'

/** A feature that is there, and the change request that is to switch it on. */
type Created = { readonly feature: Feature; readonly message: string; readonly changeRequest?: unknown }

/** Creates a feature; where switching it on needs an approval, it is created switched off, and the rest is asked for. */
export async function createOrRequest(body: CreateFeature, call: Call): Promise<Feature | Created> {
  const { client, project } = call
  const params = { project: project() }
  try {
    return await client.createFeature({ params, body })
  } catch (error) {
    const active = activeIn(body)
    if (!needsApproval(error) || active.length === 0) throw error
    const feature = await client.createFeature({ params, body: inactive(body) })
    return { feature, ...(await requestActive(feature, active, call)) }
  }
}

/** The feature is there whatever comes of the request, so that what goes wrong with it is part of the answer. */
async function requestActive(
  { key }: Feature,
  active: readonly string[],
  call: Call
): Promise<Omit<Created, 'feature'>> {
  const configurations = Object.fromEntries(active.map((environment) => [environment, { status: 'active' }]))
  const wanted = { toolName: 'create_feature', feature: key, body: { configurations } }
  const name = quoted(key)
  const where = quotedList(active)
  try {
    const { changeRequest } = await requestChange(wanted, call)
    const message = `Feature ${name} is created, and switched off everywhere: change request ${changeRequest._id}, to switch it on in ${where}, needs the review of somebody else.`
    return { changeRequest, message }
  } catch (error) {
    const message = `Feature ${name} is created, and switched off everywhere: to switch it on in ${where} needs an approval, and that could not be asked for (${messageOf(error)}). Ask with update_feature.`
    return { message }
  }
}

function activeIn({ configurations = {} }: CreateFeature): readonly string[] {
  return Object.entries(configurations).flatMap(([environment, { status }]) =>
    status === 'active' ? [environment] : []
  )
}

function inactive({ configurations = {}, ...body }: CreateFeature): CreateFeature {
  const off = Object.entries(configurations).map(([environment, said]) => [
    environment,
    { ...said, status: 'inactive' }
  ])
  return { ...body, configurations: Object.fromEntries(off) }
}
