import { ApiError, paginate } from '@burgee/contract/client'
import { type Environment, type Feature, isProtected, type Project, type UpdateFeature } from '@burgee/contract/schemas'
import type { Call } from '../api/call.ts'
import { approvalPolicy } from '../approvals/approvalPolicy.ts'
import { formatQuoted } from '../formatQuoted.ts'
import type { FeatureContext, FeatureWithEnvironments } from '../plan/featureContext.ts'
import { ToolError } from '../results/toolError.ts'

/** Reads a feature, its environments and its project. */
export async function readFeatureContext(call: Call, key: string): Promise<FeatureContext> {
  const [feature, environments, project] = await Promise.all([
    readFeature(call, key),
    readEnvironments(call),
    readProject(call)
  ])
  return { feature, environments, project }
}

/** Reads a feature and its environments. */
export async function readFeatureWithEnvironments(call: Call, key: string): Promise<FeatureWithEnvironments> {
  const [feature, environments] = await Promise.all([readFeature(call, key), readEnvironments(call)])
  return { feature, environments }
}

/** Reads the feature with this key or id. */
export function readFeature({ client, project }: Call, feature: string): Promise<Feature> {
  return client.getFeature({ params: { project: project(), feature } })
}

/** Reads all environments of the project. */
export async function readEnvironments({ client, project }: Call): Promise<readonly Environment[]> {
  const all: Environment[] = []
  const params = { project: project() }
  for await (const environment of paginate(client.listEnvironments, { params, query: {} })) all.push(environment)
  return all
}

/** Reads the project of the call. */
export function readProject({ client, project }: Call): Promise<Project> {
  return client.getProject({ params: { key: project() } })
}

/** Asserts that an item does not exist. @throws {ToolError} if it does; the message names the tool that updates it. */
export async function assertNew(
  read: Promise<{ readonly key: string }>,
  name: string,
  updateTool: string
): Promise<void> {
  const found = await read.catch((error) => {
    if (error instanceof ApiError && error.status === 404) return undefined
    throw error
  })
  if (!found) return
  throw new ToolError(
    'VALIDATION_ERROR',
    `${name} ${formatQuoted(found.key)} already exists; update it with ${updateTool}`
  )
}

/**
 * Asserts that no pending change request locks the feature, or the parts that the update changes. A change request does
 * not lock the targeting of unprotected environments that it does not change.
 * @throws {ToolError}
 */
export function assertUnlocked({ feature, project, environments }: FeatureContext, update?: UpdateFeature): void {
  const [open] = feature.changeRequests ?? []
  if (!open || approvalPolicy(project) === 'none') return
  const { configurations = {}, ...shared } = update ?? { key: feature.key }
  const locked = new Set(open.changes.flatMap(({ _environments = [] }) => _environments))
  const isUnlocked = Object.keys(configurations).every((reference) => {
    const environment = environments.find(({ key, _id }) => key === reference || _id === reference)
    return environment !== undefined && !isProtected(environment) && !locked.has(environment._id)
  })
  if (Object.keys(shared).length === 0 && isUnlocked) return
  throw new ToolError(
    'VALIDATION_ERROR',
    `feature ${formatQuoted(feature.key)} is locked by change request ${open._id}, which is ${open.status}: apply, reject or cancel it first`
  )
}
