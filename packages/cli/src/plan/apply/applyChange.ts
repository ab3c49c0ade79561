import type { Resource, Section } from '../../document/projectDocument.ts'
import { ifRevision } from '../../run/ifRevision.ts'
import type { ResourceChange } from '../difference/createPlan.ts'
import { readResource } from '../project/readResource.ts'
import { type ApplyContext, assertAsPlanned, desired, type Requested, submit } from './applyContext.ts'
import { applyFeature } from './applyFeature.ts'
import { applyWebhook } from './applyWebhook.ts'
import { needsApproval } from './approvals.ts'
import { audienceBody, metricBody, onlyChanged, propertyBody, variableBody } from './requestBodies.ts'
import { updateSettings } from './updateSettings.ts'

/** Applies the change of one resource. @throws {ApiError}, {PlanOutdatedError} */
export async function applyChange(change: ResourceChange, context: ApplyContext): Promise<Requested> {
  const { section, key, action } = change
  if (section === 'features') return applyFeature(change, context)
  const { create, update, remove } = writes[section]
  if (action === 'create') return create(change, desired(change, {}), context)
  // Of the other resources, only variables are archived.
  if (action === 'archive') return setVariableStatus(key, 'archived', context)
  if (action === 'delete') return remove(change, context)
  const { resource, revision } = await readResource(change, context)
  const after = desired(change, assertAsPlanned(change, resource, context))
  return update(change, { resource: after, condition: ifRevision(revision) }, context)
}

/** A resource after its change, and the headers of the request. */
interface Update {
  readonly resource: Resource
  readonly condition: ReturnType<typeof ifRevision>
}

/** How the resources of a section are created, updated and deleted. */
interface Writes {
  readonly create: (change: ResourceChange, resource: Resource, context: ApplyContext) => Promise<Requested>
  readonly update: (change: ResourceChange, update: Update, context: ApplyContext) => Promise<Requested>
  readonly remove: (change: ResourceChange, context: ApplyContext) => Promise<Requested>
}

/** The result of an applied change. */
const APPLIED: Requested = []

const customProperties: Writes = {
  create: async ({ key }, resource, { session, server }) => {
    await session.client.createCustomProperty({ params: { project: server.key }, body: propertyBody(key, resource) })
    return APPLIED
  },
  update: async (change, { resource, condition }, { session, server }) => {
    const { key } = change
    const body = onlyChanged(propertyBody(key, resource), change)
    await session.client.updateCustomProperty({ params: { project: server.key, key }, ...condition, body })
    return APPLIED
  },
  remove: async ({ key }, { session, server }) => {
    await session.client.deleteCustomProperty({ params: { project: server.key, key } })
    return APPLIED
  }
}

const audiences: Writes = {
  create: async ({ key }, resource, { session, server }) => {
    await session.client.createAudience({ params: { project: server.key }, body: audienceBody(key, resource) })
    return APPLIED
  },
  update: async (change, { resource, condition }, context) => {
    const { session, server } = context
    const { key } = change
    const body = onlyChanged(audienceBody(key, resource), change)
    try {
      await session.client.updateAudience({ params: { project: server.key, key }, ...condition, body })
      return APPLIED
    } catch (error) {
      if (!needsApproval(error)) throw error
      return [await submit({ path: `/v1/projects/${server.key}/audiences/${key}`, body }, context)]
    }
  },
  remove: async ({ key }, { session, server }) => {
    await session.client.deleteAudience({ params: { project: server.key, key } })
    return APPLIED
  }
}

const variables: Writes = {
  create: async ({ key }, resource, context) => {
    const { session, server } = context
    await session.client.createVariable({ params: { project: server.key }, body: variableBody(key, resource) })
    return resource.status === 'archived' ? setVariableStatus(key, 'archived', context) : APPLIED
  },
  update: async (change, { resource, condition }, context) => {
    const { session, server } = context
    const { key, members } = change
    if (members.some(({ path: [name] }) => name !== 'status')) {
      const body = onlyChanged(variableBody(key, resource), change)
      await session.client.updateVariable({ params: { project: server.key, key }, ...condition, body })
    }
    if (!members.some(({ path: [name] }) => name === 'status')) return APPLIED
    return setVariableStatus(key, resource.status === 'archived' ? 'archived' : 'active', context)
  },
  remove: async ({ key }, { session, server }) => {
    await session.client.deleteVariable({ params: { project: server.key, key } })
    return APPLIED
  }
}

async function setVariableStatus(
  key: string,
  status: 'active' | 'archived',
  { session, server }: ApplyContext
): Promise<Requested> {
  await session.client.updateVariableStatus({ params: { project: server.key, key }, body: { status } })
  return APPLIED
}

const metrics: Writes = {
  create: async ({ key }, resource, { session, server }) => {
    await session.client.createMetric({ params: { project: server.key }, body: metricBody(key, resource) })
    return APPLIED
  },
  update: async (change, { resource, condition }, { session, server }) => {
    const { key } = change
    const body = onlyChanged(metricBody(key, resource), change)
    await session.client.updateMetric({ params: { project: server.key, key }, ...condition, body })
    return APPLIED
  },
  remove: async ({ key }, { session, server }) => {
    await session.client.deleteMetric({ params: { project: server.key, key } })
    return APPLIED
  }
}

const webhooks: Writes = {
  create: writeWebhook,
  update: (change, { resource }, context) => writeWebhook(change, resource, context),
  remove: (change, context) => writeWebhook(change, {}, context)
}

async function writeWebhook(
  change: ResourceChange,
  resource: Resource,
  { session, server }: ApplyContext
): Promise<Requested> {
  await applyWebhook(change, resource, session, server)
  return APPLIED
}

const settings: Writes = {
  create: (change, _, context) => writeSettings(change, context),
  update: (change, _, context) => writeSettings(change, context),
  remove: () => Promise.reject(new TypeError('a project always has settings'))
}

async function writeSettings(change: ResourceChange, context: ApplyContext): Promise<Requested> {
  const request = await updateSettings(change, context.session, context.server.key)
  return request ? [await submit(request, context)] : APPLIED
}

const writes: Readonly<Record<Exclude<Section, 'features'>, Writes>> = {
  customProperties,
  audiences,
  variables,
  metrics,
  webhooks,
  settings
}
