import { ApiError } from '@burgee/contract/client'
import { isProtected, type UpdateFeature } from '@burgee/contract/schemas'
import type { Call } from '../api/call.ts'
import { readEnvironments, readFeature, readProject } from '../api/read.ts'
import { findOpenChangeRequest } from '../approvals/openChangeRequest.ts'
import type { FeatureContext, FeatureWithEnvironments } from '../plan/state/featureContext.ts'
import { formatQuoted } from '../results/formatQuoted.ts'
import { ToolError } from '../results/toolError.ts'

/** Reads a feature, its environments, its project and the change request that locks it. */
export async function readFeatureContext(call: Call, key: string): Promise<FeatureContext> {
  const [feature, environments, project] = await Promise.all([
    readFeature(call, key),
    readEnvironments(call),
    readProject(call)
  ])
  return { feature, environments, project, openChangeRequest: await findOpenChangeRequest(feature, project, call) }
}

/** Reads a feature and its environments. */
export async function readFeatureWithEnvironments(call: Call, key: string): Promise<FeatureWithEnvironments> {
  const [feature, environments] = await Promise.all([readFeature(call, key), readEnvironments(call)])
  return { feature, environments }
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
 * Asserts that no open change request locks the feature, or the parts that the update changes. A change request does
 * not lock the targeting of unprotected environments that it does not change.
 * @throws {ToolError}
 */
export function assertUnlocked(context: FeatureContext, update?: UpdateFeature): void {
  const { feature, environments, openChangeRequest: open } = context
  if (!open) return
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
