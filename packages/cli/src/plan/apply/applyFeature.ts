import { revisionOf } from '@burgee/contract/client'
import type { Feature } from '@burgee/contract/schemas'
import { isProtected } from '@burgee/contract/words'
import { isRecord } from '@burgee/kit'
import { valueAt, withValue } from '../../document/members.ts'
import type { DocumentStatus, Resource } from '../../document/projectDocument.ts'
import { ifRevision } from '../../run/ifRevision.ts'
import type { ResourceChange } from '../difference/createPlan.ts'
import { type ServerProject, toFeature } from '../project/readProject.ts'
import {
  type ApplyContext,
  assertAsPlanned,
  desired,
  PlanOutdatedError,
  type Requested,
  submit
} from './applyContext.ts'
import { isOfLabel, needsApproval } from './approvals.ts'
import { featureBody, newFeatureBody, statusBody } from './requestBodies.ts'

/** Applies the change of a feature, except that of its metrics. @throws {ApiError}, {PlanOutdatedError} */
export async function applyFeature(change: ResourceChange, context: ApplyContext): Promise<Requested> {
  const { action, key } = change
  if (action === 'create') return createFeature(key, desired(change, {}), context)
  if (action === 'update') return updateFeature(change, context)
  if (action === 'archive') return changeStatus(key, 'archived', undefined, context)
  return deleteFeature(key, context)
}

/** Whether a feature is created by one request: nothing has to follow it. */
export function needsOneRequest({ section, action, members }: ResourceChange): boolean {
  return (
    section === 'features' &&
    action === 'create' &&
    members.every(({ path: [name = ''], after }) => {
      if (name === 'status') return after === 'active'
      return !(written.includes(name) || name === 'metrics') || isInitial(name, after)
    })
  )
}

/** The members of a feature that only updates have. */
const written: readonly string[] = ['maintainers', 'links', 'summary']

/** Whether a new feature has this value: no text and no items. The maintainer of a new one is who creates it. */
function isInitial(name: string, value: unknown): boolean {
  if (value === undefined || name === 'maintainers') return value === undefined
  return value === '' || (Array.isArray(value) && value.length === 0)
}

async function createFeature(key: string, resource: Resource, context: ApplyContext): Promise<Requested> {
  const { client } = context.session
  const params = { project: context.server.key }
  const status = (resource.status ?? 'active') as DocumentStatus
  const { configurations = {}, ...body } = newFeatureBody(key, resource)
  // A complete feature has the targets that can be turned on.
  const initial = isRecord(status) ? {} : configurations
  let isWaiting = isRecord(status) && Object.keys(configurations).length > 0
  let created: Feature
  try {
    created = await client.createFeature({ params, body: { ...body, configurations: initial } })
  } catch (error) {
    if (!needsApproval(error)) throw error
    // Without protected environments, creating it needs no approval. They follow as a change request.
    const open = context.server.environments.filter((one) => !isProtected(one)).map((one) => one.key)
    const allowed = Object.fromEntries(Object.entries(initial).filter(([name]) => open.includes(name)))
    created = await client.createFeature({ params, body: { ...body, configurations: allowed } })
    isWaiting = true
  }
  const summaries = written.filter((name) => !isInitial(name, resource[name]))
  if (summaries.length > 0) {
    const rest = featureBody(resource, new Set(summaries), created, new Map())
    created = await client.updateFeature({ params: { ...params, feature: key }, body: rest })
  }
  const requested: string[] = []
  if (isRecord(status)) requested.push(...(await changeStatus(key, status, undefined, context)))
  if (isWaiting && requested.length === 0) {
    const request = featureBody(resource, new Set(['environments']), created, environmentIds(context))
    requested.push(...(await updateOrRequest(key, request, undefined, context)))
  }
  if (status === 'archived') requested.push(...(await changeStatus(key, status, undefined, context)))
  return requested
}

async function updateFeature(change: ResourceChange, context: ApplyContext): Promise<Requested> {
  const { key } = change
  const { session, server } = context
  const params = { project: server.key, feature: key }
  let fresh = await session.client.getFeature({ params })
  const before = assertAsPlanned(change, toFeature(fresh, server.references), context)
  const resource = desired(change, before)
  const changed = new Set(change.members.map(({ path: [name = ''] }) => name))
  const status = changed.has('status') ? (resource.status as DocumentStatus) : undefined
  const requested: string[] = []
  // An archived feature cannot change otherwise, and an archived or complete one is changed before.
  if (status === 'active') {
    requested.push(...(await changeStatus(key, status, revisionOf(fresh), context)))
    if (requested.length > 0) return requested
    fresh = await session.client.getFeature({ params })
  }
  // A complete feature has the targets that can be turned on.
  const isCompleted = isRecord(status)
  const write = async (names: ReadonlySet<string>, revision: string | undefined) => {
    const body = updateBody(change, resource, { names, feature: fresh, server })
    if (Object.keys(body).length === 0 || requested.length > 0) return
    requested.push(...(await updateOrRequest(key, body, revision, context)))
  }
  const later = new Set(isCompleted ? ['environments'] : [])
  await write(new Set([...changed].filter((name) => !later.has(name))), revisionOf(fresh))
  if (status !== undefined && status !== 'active' && requested.length === 0) {
    requested.push(...(await changeStatus(key, status, undefined, context)))
  }
  await write(new Set([...changed].filter((name) => later.has(name))), undefined)
  return requested
}

async function deleteFeature(key: string, { session, server, force }: ApplyContext): Promise<Requested> {
  const params = { project: server.key, feature: key }
  const feature = await session.client.getFeature({ params })
  const isOn = feature.configurations.some(({ status }) => status === 'active')
  if (isOn && feature.status !== 'archived' && !force) {
    throw new PlanOutdatedError(`features.${key} is on: turn it off before it is deleted, or pass --force`)
  }
  await session.client.deleteFeature({ params })
  return []
}

/** Returns the body that gives a feature some members of a change. @param resource The feature after the change. */
export function updateBody(
  change: ResourceChange,
  resource: Resource,
  {
    names,
    feature,
    server
  }: { readonly names: ReadonlySet<string>; readonly feature: Feature; readonly server: ServerProject }
): ReturnType<typeof featureBody> {
  return featureBody(withChangedParts(resource, change), names, feature, environmentIds({ server }))
}

/** Returns the resource with only those environments that change: others may need approval. */
function withChangedParts(resource: Resource, { members }: ResourceChange): Resource {
  const { environments, visibility, optIn } = resource as Readonly<Record<string, Resource>>
  const pickFrom = (name: string, from: Resource | undefined) => {
    const changed = members.filter(({ path }) => path[0] === name)
    const picked = changed.reduce<Resource>(
      (part, { path: [, ...rest] }) => withValue(part, rest, valueAt(from, rest)),
      {}
    )
    return changed.length > 0 ? { [name]: picked } : {}
  }
  return {
    ...resource,
    ...pickFrom('environments', environments),
    ...pickFrom('visibility', visibility),
    ...pickFrom('optIn', optIn)
  }
}

async function updateOrRequest(
  key: string,
  body: ReturnType<typeof featureBody>,
  revision: string | undefined,
  context: ApplyContext
): Promise<Requested> {
  const params = { project: context.server.key, feature: key }
  try {
    await context.session.client.updateFeature({ params, ...ifRevision(revision), body })
    return []
  } catch (error) {
    if (!needsApproval(error) && !(await isOwnRequest(error, key, context))) throw error
    return [await submit({ path: `/v2/projects/${context.server.key}/features/${key}`, body, feature: key }, context)]
  }
}

/** Whether a feature is locked by a change request of these files. */
async function isOwnRequest(
  error: unknown,
  feature: string,
  { session, server, label }: ApplyContext
): Promise<boolean> {
  const { status } = Object(error) as { readonly status?: number }
  if (status !== 409) return false
  const params = { project: server.key, feature }
  const open = await session.client.listPendingChangeRequests({ params }).catch(() => [])
  return open.some(({ description = '' }) => isOfLabel(description, label))
}

async function changeStatus(
  key: string,
  status: DocumentStatus,
  revision: string | undefined,
  context: ApplyContext
): Promise<Requested> {
  const params = { project: context.server.key, feature: key }
  const body = statusBody(status)
  try {
    await context.session.client.updateFeatureStatus({ params, ...ifRevision(revision), body })
    return []
  } catch (error) {
    if (!needsApproval(error)) throw error
    const path = `/v2/projects/${context.server.key}/features/${key}/status`
    return [await submit({ path, body, feature: key }, context)]
  }
}

/** Adds and removes the metrics of a feature. */
export async function applyMetrics(key: string, wanted: readonly string[], context: ApplyContext): Promise<void> {
  const { session, server } = context
  const params = { project: server.key }
  const before = server.references.metricsOf.get(key) ?? []
  for (const metric of wanted) {
    if (!before.includes(metric))
      await session.client.createMetricAssociation({ params, body: { metric, feature: key } })
  }
  for (const metric of before) {
    if (!wanted.includes(metric))
      await session.client.deleteMetricAssociation({ params, query: { metric, feature: key } })
  }
}

function environmentIds({ server }: Pick<ApplyContext, 'server'>): ReadonlyMap<string, string> {
  return new Map(server.environments.map(({ _id, key }) => [key, _id]))
}
