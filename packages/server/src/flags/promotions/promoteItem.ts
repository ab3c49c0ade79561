import type { ManagementError, PromotionItem } from '@burgee/contract/schemas'
import type { Edit } from '../../access/audit/edit.ts'
import type { ParseBody } from '../../access/parseBody.ts'
import { assertWithinEnvironments } from '../../access/permissions/assertWithinEnvironments.ts'
import { ManagementHttpError, refused } from '../../access/permissions/managementError.ts'
import { toChangeRequest } from '../approvals/toChangeRequest.ts'
import { createChangeRequest } from '../changeRequests/createChangeRequest.ts'
import { draftChangeRequest } from '../changeRequests/draftChangeRequest.ts'
import { dryRun } from '../changeRequests/dryRun.ts'
import { submitChangeRequest } from '../changeRequests/submitChangeRequest.ts'
import { featureCommands } from '../features/rules/featureCommands.ts'
import { updateFeature } from '../features/updateFeature.ts'
import { type ItemPlan, type PromotionItemRequest, planItem, sha256 } from './planItem.ts'

/** An item of the report, and the part of the digest that identifies it. */
export interface ItemResult {
  readonly item: PromotionItem
  readonly digest: string
}

/** The number of characters of a digest per item, and for the arguments. */
export const DIGEST_PART = 16

/** Reports what an item would do, and changes nothing. @throws {HttpError} when the item is refused. */
export async function previewItem(edit: Edit, request: PromotionItemRequest, validate: ParseBody): Promise<ItemResult> {
  const plan = await planItem(edit, request, validate)
  return toResult(plan, await findOutcome(edit, plan, validate))
}

/**
 * Applies an item of a preview. Where the project requires approval, submits a change request.
 * @throws {HttpError} 409 when the preview would differ now; otherwise as the change itself would.
 */
export async function applyItem(
  edit: Edit,
  request: PromotionItemRequest,
  { validate, digest }: { readonly validate: ParseBody; readonly digest: string }
): Promise<ItemResult> {
  const plan = await planItem(edit, request, validate)
  const outcome = await findOutcome(edit, plan, validate)
  const planned = toResult(plan, outcome)
  const { project, feature, environment, source, body } = plan
  if (planned.digest !== digest) {
    throw refused(
      'ERR_FEATURE_CHANGED',
      `the promotion of feature "${feature.key}" to environment "${environment.key}" has changed since its preview: request a new preview`
    )
  }
  if (outcome.kind === 'unchanged' || !body) return planned
  if (outcome.kind === 'wouldRequest') {
    const requested = { operation: 'featureUpdate', project, feature, body } as const
    const draft = await createChangeRequest(edit, { ...requested, body: { ...body } as never }, validate)
    const description = `Promotes feature "${feature.key}" from environment "${source.environment.key}" to environment "${environment.key}".`
    const { request: submitted } = await submitChangeRequest(
      edit,
      { project, feature, request: draft },
      { description, reviewers: [] }
    )
    const changeRequest = toChangeRequest(submitted)
    return { ...planned, item: { ...planned.item, outcome: 'changeRequest', changeRequest } }
  }
  const metadata = {
    promotedFrom: {
      project: source.project.key,
      environment: source.environment.key,
      revision: source.revision,
      batch: digest
    }
  }
  const recordChanges: Edit['recordChanges'] = (scope, changes) => {
    edit.recordChanges(
      scope,
      changes.map((change) => ({ ...change, metadata: { ...change.metadata, ...metadata } }))
    )
  }
  const command = featureCommands.updateFeature(body)
  const { revision } = await updateFeature({ ...edit, recordChanges }, project, feature._id, command)
  return { ...planned, item: { ...planned.item, outcome: 'applied', revision } }
}

/** Returns the item of an error, or rethrows what is not a refusal. */
export function refusedItem({ feature, to }: PromotionItemRequest, error: ManagementError): ItemResult {
  const outcome = 'refused'
  const { statusCode, errorType } = error
  return {
    item: { feature, to, outcome, changes: [], warnings: [], error },
    digest: toDigest([outcome, statusCode, errorType])
  }
}

/** Returns the part of a digest that identifies a value. */
export function toDigest(value: unknown): string {
  return sha256(value).slice(0, DIGEST_PART)
}

interface Outcome extends Pick<PromotionItem, 'changes'> {
  readonly kind: 'unchanged' | 'wouldApply' | 'wouldRequest'
}

async function findOutcome(edit: Edit, { project, feature, body }: ItemPlan, validate: ParseBody): Promise<Outcome> {
  if (!body) return { kind: 'unchanged', changes: [] }
  try {
    const { changes } = await dryRun(edit, { project, feature, maker: edit.caller.id }, (part) =>
      updateFeature(part, project, feature._id, featureCommands.updateFeature(body))
    )
    assertWithinEnvironments(edit.caller, changes)
    return { kind: changes.length > 0 ? 'wouldApply' : 'unchanged', changes: [...changes] }
  } catch (error) {
    const needsApproval = error instanceof ManagementHttpError && error.members.errorType === 'ERR_APPROVAL_REQUIRED'
    if (!needsApproval) throw error
    const requested = { operation: 'featureUpdate', project, feature, body: { ...body } as never } as const
    const { changes } = await draftChangeRequest(edit, requested, validate)
    return { kind: 'wouldRequest', changes }
  }
}

function toResult(plan: ItemPlan, { kind, changes }: Outcome): ItemResult {
  const { project, feature, environment, admittedNow, warnings, revision, hash } = plan
  return {
    item: {
      feature: feature.key,
      to: { project: project.key, environment: environment.key },
      outcome: kind,
      changes,
      admittedNow,
      warnings: [...warnings],
      revision
    },
    digest: toDigest([hash, kind])
  }
}
