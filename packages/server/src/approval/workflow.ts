import { notAllowed, preconditionFailed } from '../errors.ts'
import type { StoredProject } from '../store/resources.ts'

/** Whether changes of features in a project need approval. */
export function needsApproval({ settings }: StoredProject): boolean {
  return settings.featureApprovalWorkflow.enabled
}

/** @throws {ApiError} 405 when features of a project change without approval. */
export function demandWorkflow(project: StoredProject): void {
  if (!needsApproval(project)) throw notAllowed(whyNot(project))
}

/** For a first change request. @throws {ApiError} 412 when features of a project change without approval. */
export function demandWorkflowForNew(project: StoredProject): void {
  if (!needsApproval(project)) throw preconditionFailed(whyNot(project))
}

function whyNot({ key }: StoredProject): string {
  return `project "${key}" has no change requests: its settings.featureApprovalWorkflow.enabled should be true`
}
