// Long because each kind of resource is created, updated and deleted by its own operations.

import { revisionOf } from '@burgee/contract/client'
import type { Feature } from '@burgee/contract/schemas'
import { isProtected } from '@burgee/contract/words'
import { isRecord, omitUndefined } from '@burgee/kit'
import { formatPath, isEqual, valueAt, withValue } from '../document/members.ts'
import type { DocumentStatus, ProjectDocument, Resource } from '../document/projectDocument.ts'
import type { Session } from '../run/session.ts'
import { needsApproval, requestChange, type WrappedRequest } from './approvals.ts'
import type { ResourceChange } from './createPlan.ts'
import { updateSettings } from './project/projectSettings.ts'
import { applyWebhook } from './project/webhooks.ts'
import { type ServerProject, toFeature } from './readProject.ts'
import { readResource } from './readResource.ts'
import {
  audienceBody,
  featureBody,
  metricBody,
  newFeatureBody,
  onlyChanged,
  propertyBody,
  statusBody,
  variableBody
} from './requestBodies.ts'

/** What changes need besides themselves. */
export interface ApplyContext {
  readonly session: Pick<Session, 'client' | 'explain'>
  readonly files: ProjectDocument
  readonly server: ServerProject
  readonly label: string
  /** What reviewers of change requests read. */
  readonly description: string
  /** Whether features that are on anywhere can be deleted. */
  readonly force: boolean
}

/** The ids of the change requests that a change became; none if it was applied. */
export type Requested = readonly string[]

/** A resource is not as the plan saw it. */
export class PlanOutdatedError extends Error {
  override readonly name = 'PlanOutdatedError'
}

/** Applies the change of one resource. @throws {ApiError}, {PlanOutdatedError} */
export async function applyChange(change: ResourceChange, context: ApplyContext): Promise<Requested> {
  if (change.action === 'create') return create(change, context)
  if (change.action === 'update') return update(change, context)
  return remove(change, context)
}

/** Returns a resource with the changes of its members. */
export function desired({ members }: ResourceChange, before: Resource): Resource {
  return members.reduce((resource, { path, after }) => withValue(resource, path, after), before)
}

async function create(change: ResourceChange, context: ApplyContext): Promise<Requested> {
  const { section, key } = change
  const { client } = context.session
  const params = { project: context.server.key }
  const resource = desired(change, {})
  switch (section) {
    case 'customProperties':
      await client.createCustomProperty({ params, body: propertyBody(key, resource) })
      return []
    case 'audiences':
      await client.createAudience({ params, body: audienceBody(key, resource) })
      return []
    case 'variables':
      await client.createVariable({ params, body: variableBody(key, resource) })
      if (resource.status === 'archived') {
        await client.updateVariableStatus({ params: { ...params, key }, body: { status: 'archived' } })
      }
      return []
    case 'metrics':
      await client.createMetric({ params, body: metricBody(key, resource) })
      return []
    case 'webhooks':
      await applyWebhook(change, resource, context.session, context.server)
      return []
    case 'settings':
      return updateProjectSettings(change, context)
    case 'features':
      return createFeature(key, resource, context)
  }
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
  const summaries = ['maintainers', 'links', 'summary'].filter((name) => resource[name] !== undefined)
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

async function update(change: ResourceChange, context: ApplyContext): Promise<Requested> {
  const { section, key } = change
  if (section === 'features') return updateFeature(change, context)
  const { server, session } = context
  const { client } = session
  const params = { project: server.key, key }
  const current = await readResource(change, context)
  const resource = desired(change, assertAsPlanned(change, current.resource))
  const condition = ifRevision(current.revision)
  switch (section) {
    case 'customProperties':
      await client.updateCustomProperty({
        params,
        ...condition,
        body: onlyChanged(propertyBody(key, resource), change)
      })
      return []
    case 'audiences': {
      const body = onlyChanged(audienceBody(key, resource), change)
      try {
        await client.updateAudience({ params, ...condition, body })
        return []
      } catch (error) {
        if (!needsApproval(error)) throw error
        return [await submit({ path: `/v1/projects/${server.key}/audiences/${key}`, body }, context)]
      }
    }
    case 'variables': {
      if (change.members.some(({ path: [name] }) => name !== 'status')) {
        await client.updateVariable({ params, ...condition, body: onlyChanged(variableBody(key, resource), change) })
      }
      if (change.members.some(({ path: [name] }) => name === 'status')) {
        const status = resource.status === 'archived' ? 'archived' : 'active'
        await client.updateVariableStatus({ params, body: { status } })
      }
      return []
    }
    case 'metrics':
      await client.updateMetric({ params, ...condition, body: onlyChanged(metricBody(key, resource), change) })
      return []
    case 'webhooks':
      await applyWebhook(change, resource, session, server)
      return []
    case 'settings':
      return updateProjectSettings(change, context)
  }
}

async function updateProjectSettings(change: ResourceChange, context: ApplyContext): Promise<Requested> {
  const request = await updateSettings(change, context.session, context.server.key)
  return request ? [await submit(request, context)] : []
}

async function updateFeature(change: ResourceChange, context: ApplyContext): Promise<Requested> {
  const { key } = change
  const { session, server } = context
  const params = { project: server.key, feature: key }
  let fresh = await session.client.getFeature({ params })
  const before = assertAsPlanned(change, toFeature(fresh, server.references))
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
  return open.some(({ description = '' }) => description.includes(`\nburgee apply ${label} `))
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

async function remove(change: ResourceChange, context: ApplyContext): Promise<Requested> {
  const { section, key, action } = change
  const { session, server, force } = context
  const { client } = session
  const params = { project: server.key, key }
  if (action === 'archive') {
    if (section === 'features') return changeStatus(key, 'archived', undefined, context)
    await client.updateVariableStatus({ params, body: { status: 'archived' } })
    return []
  }
  switch (section) {
    case 'customProperties':
      await client.deleteCustomProperty({ params })
      return []
    case 'audiences':
      await client.deleteAudience({ params })
      return []
    case 'variables':
      await client.deleteVariable({ params })
      return []
    case 'metrics':
      await client.deleteMetric({ params })
      return []
    case 'webhooks':
      await applyWebhook(change, {}, session, server)
      return []
    case 'settings':
      throw new TypeError('a project always has settings')
    case 'features': {
      const feature = await client.getFeature({ params: { project: server.key, feature: key } })
      const isOn = feature.configurations.some(({ status }) => status === 'active')
      if (isOn && feature.status !== 'archived' && !force) {
        throw new PlanOutdatedError(`features.${key} is on: turn it off before it is deleted, or give --force`)
      }
      await client.deleteFeature({ params: { project: server.key, feature: key } })
      return []
    }
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

function submit(request: WrappedRequest, { session, server, label, description }: ApplyContext): Promise<string> {
  return requestChange(session, request, { project: server.key, label, description })
}

function environmentIds({ server }: Pick<ApplyContext, 'server'>): ReadonlyMap<string, string> {
  return new Map(server.environments.map(({ _id, key }) => [key, _id]))
}

/** Asserts that the members that change are as the plan saw them. @throws {PlanOutdatedError} */
function assertAsPlanned({ section, key, members }: ResourceChange, fresh: Resource): Resource {
  for (const { path, before } of members) {
    if (isEqual(valueAt(fresh, path), before)) continue
    throw new PlanOutdatedError(
      `${formatPath([section, key, ...path])} has changed since the plan was made: run burgee plan, then apply again`
    )
  }
  return fresh
}

function ifRevision(revision: string | undefined) {
  return omitUndefined({ headers: revision === undefined ? undefined : { 'if-match': revision } })
}
