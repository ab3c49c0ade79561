import { ApiError, paginate } from '@burgee/contract/client'
import type { Environment, Feature, Project } from '@burgee/contract/schemas'
import { ToolError } from '../answers/toolError.ts'
import type { Call } from '../api/call.ts'
import { approvalOf } from '../approvals/approval.ts'
import type { Around, Carrier } from '../effects/around.ts'
import { quoted } from '../quoted.ts'

/** Reads a feature and what it stands in. Whatever of it cannot be read fails the call before anybody is asked. */
export async function readAround(call: Call, key: string): Promise<Around> {
  const [feature, environments, project] = await Promise.all([
    readFeature(call, key),
    readEnvironments(call),
    readProject(call)
  ])
  return { feature, environments, project }
}

/** Reads a feature and the environments that its targets are in. */
export async function readTargets(call: Call, key: string): Promise<Carrier> {
  const [feature, environments] = await Promise.all([readFeature(call, key), readEnvironments(call)])
  return { feature, environments }
}

/** The feature of this key or id. */
export function readFeature({ client, project }: Call, feature: string): Promise<Feature> {
  return client.getFeature({ params: { project: project(), feature } })
}

/** All environments of the project. */
export async function readEnvironments({ client, project }: Call): Promise<readonly Environment[]> {
  const all: Environment[] = []
  const params = { project: project() }
  for await (const environment of paginate(client.listEnvironments, { params, query: {} })) all.push(environment)
  return all
}

/** The project that the call is about. */
export function readProject({ client, project }: Call): Promise<Project> {
  return client.getProject({ params: { key: project() } })
}

/** @throws {ToolError} when there is such a thing already; says `instead` what changes it. */
export async function demandNew(read: Promise<{ readonly key: string }>, name: string, instead: string): Promise<void> {
  const found = await read.catch((error) => {
    if (error instanceof ApiError && error.status === 404) return undefined
    throw error
  })
  if (!found) return
  throw new ToolError(
    'VALIDATION_ERROR',
    `there is a ${name} with key ${quoted(found.key)} already; ${instead} changes it`
  )
}

/** @throws {ToolError} when a change request has to be decided first. */
export function demandUnlocked({ feature, project }: Around): void {
  const [open] = feature.changeRequests ?? []
  if (!open || approvalOf(project) === 'none') return
  throw new ToolError(
    'VALIDATION_ERROR',
    `feature ${quoted(feature.key)} is locked by change request ${open._id}, which is ${open.status}: it should be applied, rejected or cancelled first`
  )
}
