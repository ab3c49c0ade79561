import { approvalSettings } from '@burgee/contract/rules'
import { forbidden, operationNotAllowed, preconditionFailed } from '../../lib/errors.ts'
import type { StoredProject } from '../../storage/resources/project.ts'

/** Whether a project has approvals enabled. */
export function isApprovalRequired({ settings }: StoredProject): boolean {
  return settings.featureApprovalWorkflow.enabled
}

/** The number of people who must approve a change request of a project. */
export function requiredApprovals({ settings }: StoredProject): number {
  return approvalSettings(settings.featureApprovalWorkflow).requiredApprovals
}

/** Asserts that change requests can be applied in an emergency. @throws {HttpError} 403 */
export function assertEmergencyAllowed({ key, settings }: StoredProject): void {
  if (approvalSettings(settings.featureApprovalWorkflow).allowEmergency) return
  throw forbidden(
    `project "${key}" sets featureApprovalWorkflow.allowEmergency to false: the change request needs approval`
  )
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
  return `change requests are disabled in project "${key}": set settings.featureApprovalWorkflow.enabled to true in its protected settings`
}
