import type { ProjectChangeRequest } from '@burgee/contract/schemas'
import type { TokenCaller } from '../../access/permissions/caller.ts'
import { refused } from '../../access/permissions/managementError.ts'
import type { StoredProject } from '../../storage/resources/project.ts'
import { isApprovalRequired } from './approvalWorkflow.ts'
import { formatRequestLine } from './formatRequestLine.ts'
import { canBypassApproval } from './transitions.ts'

/** `given` for a change request that is applied or drafted. */
export type Approval = 'given' | 'needed'

interface ProjectChange {
  readonly project: StoredProject
  readonly caller: Pick<TokenCaller, 'access'>
  readonly operation: ProjectChangeRequest['operation']
  readonly approval: Approval
  /** Describes the change, as the subject of a sentence. */
  readonly what: string
  /** The request that makes the change. */
  readonly line: string
}

/**
 * Asserts that a change of a project, which weakens approvals or affects protected environments, can be made without a
 * change request.
 * @throws {HttpError} 403
 */
export function assertProjectChangeAllowed({ project, caller, operation, approval, what, line }: ProjectChange): void {
  if (approval === 'given' || !isApprovalRequired(project) || canBypassApproval(project, caller, operation)) return
  const create = formatRequestLine('createProjectChangeRequest', { project: project.key })
  throw refused(
    'ERR_APPROVAL_REQUIRED',
    `${what} needs approval in project "${project.key}": create a change request for ${line} with ${create}`
  )
}
