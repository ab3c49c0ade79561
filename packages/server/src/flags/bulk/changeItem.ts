import type { ChangeItem } from '@burgee/contract/schemas'
import type { Edit } from '../../access/audit/edit.ts'
import type { ParseBody } from '../../access/parseBody.ts'
import { assertWithinEnvironments } from '../../access/permissions/assertWithinEnvironments.ts'
import { ManagementHttpError, toManagementError } from '../../access/permissions/managementError.ts'
import { HttpError } from '../../lib/errors.ts'
import type { StoredFeature } from '../../storage/resources/feature.ts'
import type { StoredProject } from '../../storage/resources/project.ts'
import { toChangeRequest } from '../approvals/toChangeRequest.ts'
import { createChangeRequest } from '../changeRequests/createChangeRequest.ts'
import { draftChangeRequest } from '../changeRequests/draftChangeRequest.ts'
import { dryRun } from '../changeRequests/dryRun.ts'
import type { RequestedChange } from '../changeRequests/executeRequestedChange.ts'
import { submitChangeRequest } from '../changeRequests/submitChangeRequest.ts'
import type { UpdatedFeature } from '../features/updateFeature.ts'

/** A change of one feature by a request that changes several. */
export interface ItemChange {
  readonly project: StoredProject
  readonly feature: StoredFeature
  /** Makes the change directly. */
  readonly run: (edit: Edit) => Promise<Pick<UpdatedFeature, 'revision'>>
  /** What a change request for the change wraps, and its description; absent if the change never needs approval. */
  readonly requested?: Pick<RequestedChange, 'operation' | 'body'> & { readonly description: string }
}

/** What a change would do. */
export interface PlannedOutcome extends Pick<ChangeItem, 'changes'> {
  readonly outcome: 'unchanged' | 'wouldApply' | 'wouldRequest'
}

/** Finds what a change would do, and changes nothing. @throws {HttpError} when it would be refused. */
export async function planChange(edit: Edit, change: ItemChange, validate: ParseBody): Promise<PlannedOutcome> {
  const { project, feature, run } = change
  try {
    const { changes } = await dryRun(edit, { project, feature, maker: edit.caller.id }, run)
    assertWithinEnvironments(edit.caller, changes)
    return { outcome: changes.length > 0 ? 'wouldApply' : 'unchanged', changes: [...changes] }
  } catch (error) {
    const needsApproval = error instanceof ManagementHttpError && error.members.errorType === 'ERR_APPROVAL_REQUIRED'
    if (!needsApproval || !change.requested) throw error
    const { changes } = await draftChangeRequest(edit, { ...change.requested, project, feature }, validate)
    return { outcome: 'wouldRequest', changes }
  }
}

/**
 * Makes a planned change, or submits a change request for it. Returns the members of the item that differ from the
 * plan.
 * @throws {HttpError} as the change itself would.
 */
export async function applyChange(
  edit: Edit,
  change: ItemChange,
  { planned, validate }: { readonly planned: PlannedOutcome; readonly validate: ParseBody }
): Promise<Pick<ChangeItem, 'outcome'> & Partial<Pick<ChangeItem, 'changeRequest' | 'revision'>>> {
  const { project, feature, requested } = change
  if (planned.outcome === 'unchanged') return { outcome: 'unchanged' }
  if (planned.outcome === 'wouldApply' || !requested) {
    const { revision } = await change.run(edit)
    return { outcome: 'applied', revision }
  }
  const draft = await createChangeRequest(edit, { ...requested, project, feature }, validate)
  const submission = { description: requested.description, reviewers: [] }
  const { request } = await submitChangeRequest(edit, { project, feature, request: draft }, submission)
  return { outcome: 'changeRequest', changeRequest: toChangeRequest(request) }
}

/** Returns the result of `work`, or that of `toRefused` if an item is refused. Unexpected errors propagate. */
export async function catchRefusal<Result>(
  work: () => Promise<Result>,
  toRefused: (refusal: Refusal) => Result
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof HttpError) || error.status >= 500) throw error
    return toRefused({ outcome: 'refused', changes: [], error: toManagementError(error) })
  }
}

/** The members of an item that is refused. */
export interface Refusal extends Required<Pick<ChangeItem, 'changes' | 'error'>> {
  readonly outcome: 'refused'
}
