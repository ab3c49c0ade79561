import { paginate } from '@burgee/contract/client'
import type { ChangeRequest, Feature, Project } from '@burgee/contract/schemas'
import type { Call } from '../api/call.ts'
import { approvalPolicy } from './approvalPolicy.ts'

/** Finds the change request that locks a feature: it is pending, or approved and not applied yet. */
export async function findOpenChangeRequest(
  { _id: _feature, changeRequests: [pending] = [] }: Feature,
  workflow: Pick<Project, 'settings'>,
  { client, project }: Call
): Promise<ChangeRequest | undefined> {
  if (approvalPolicy(workflow) === 'none') return undefined
  if (pending) return pending
  const params = { project: project() }
  for await (const request of paginate(client.listChangeRequests, { params, query: { status: 'approved' } })) {
    if ('_feature' in request && request._feature === _feature) return request
  }
  return undefined
}
