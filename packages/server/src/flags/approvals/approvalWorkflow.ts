import { operationNotAllowed, preconditionFailed } from '../../lib/errors.ts'
import type { StoredProject } from '../../storage/resources.ts'

/** Whether changes of features in a project need approval. */
export function isApprovalRequired({ settings }: StoredProject): boolean {
  return settings.featureApprovalWorkflow.enabled
}

/** @throws {ApiError} 405 when features of a project change without approval. */
export function assertWorkflowEnabled(project: StoredProject): void {
  if (!isApprovalRequired(project)) throw operationNotAllowed(workflowDisabledMessage(project))
}

/** For a first change request. @throws {ApiError} 412 when features of a project change without approval. */
export function assertWorkflowEnabledForCreation(project: StoredProject): void {
  if (!isApprovalRequired(project)) throw preconditionFailed(workflowDisabledMessage(project))
}

function workflowDisabledMessage({ key }: StoredProject): string {
  return `project "${key}" has no change requests: its settings.featureApprovalWorkflow.enabled should be true`
}
