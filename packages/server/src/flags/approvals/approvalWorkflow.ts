import { operationNotAllowed, preconditionFailed } from '../../lib/errors.ts'
import type { StoredProject } from '../../storage/resources/project.ts'

/** Whether a project has approvals enabled. */
export function isApprovalRequired({ settings }: StoredProject): boolean {
  return settings.featureApprovalWorkflow.enabled
}

/** @throws {HttpError} 405 when a project has no approvals. */
export function assertWorkflowEnabled(project: StoredProject): void {
  if (!isApprovalRequired(project)) throw operationNotAllowed(workflowDisabledMessage(project))
}

/** For creating a change request. @throws {HttpError} 412 when a project has no approvals. */
export function assertWorkflowEnabledForCreation(project: StoredProject): void {
  if (!isApprovalRequired(project)) throw preconditionFailed(workflowDisabledMessage(project))
}

function workflowDisabledMessage({ key }: StoredProject): string {
  return `change requests are disabled in project "${key}": set settings.featureApprovalWorkflow.enabled to true`
}
