import { isProtected } from '@burgee/contract/schemas'
import type { Edit } from '../../access/audit/edit.ts'
import { assertPermission } from '../../access/permissions/assertPermission.ts'
import type { TokenCaller } from '../../access/permissions/caller.ts'
import type { StoredEnvironment } from '../../storage/resources/project.ts'
import { isApprovalRequired } from '../approvals/approvalWorkflow.ts'

/** Whether a caller may change an environment, and see the SDK keys of a protected one. */
export function canUpdateEnvironment(environment: StoredEnvironment, { access }: TokenCaller): boolean {
  const { _id, _project } = environment
  if (access.environments?.has(_id) === false) return false
  const isOpen = !isProtected(environment) || access.allows('feature:publish', _project)
  return isOpen && access.allows('environment:write', _project)
}

/** @throws {HttpError} 403 when an environment is protected and the caller may not publish. */
export function assertCanChangeProtected(
  environment: Pick<StoredEnvironment, 'type' | '_project'>,
  caller: TokenCaller
): void {
  if (isProtected(environment)) assertPermission(caller, 'feature:publish', environment._project)
}

/**
 * Asserts that the caller may change the type of an environment from protected to unprotected. In a project with
 * approvals, this disables approvals for the environment, and so requires the same permission as disabling them for the
 * project.
 * @throws {HttpError} 403
 */
export async function assertCanUnprotect(
  { store, caller }: Edit,
  before: StoredEnvironment,
  after: StoredEnvironment
): Promise<void> {
  if (!isProtected(before) || isProtected(after)) return
  const project = await store.collection('projects').get({ _id: before._project })
  if (project && isApprovalRequired(project)) assertPermission(caller, 'project:write:settings', project._id)
}
