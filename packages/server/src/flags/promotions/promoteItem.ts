import type { AuditLogChange, PromotionItem } from '@burgee/contract/schemas'
import type { Edit } from '../../access/audit/edit.ts'
import type { ParseBody } from '../../access/parseBody.ts'
import { refused } from '../../access/permissions/managementError.ts'
import { applyChange, type ItemChange, type PlannedOutcome, planChange, type Refusal } from '../bulk/changeItem.ts'
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
  const change = toChange(plan)
  return toResult(plan, change ? await planChange(edit, change, validate) : unchanged)
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
  const change = toChange(plan)
  const planned = change ? await planChange(edit, change, validate) : unchanged
  const result = toResult(plan, planned)
  const { feature, environment, source } = plan
  if (result.digest !== digest) {
    throw refused(
      'ERR_FEATURE_CHANGED',
      `the promotion of feature "${feature.key}" to environment "${environment.key}" has changed since its preview: request a new preview`
    )
  }
  if (!change) return result
  const metadata = {
    promotedFrom: {
      project: source.project.key,
      environment: source.environment.key,
      revision: source.revision,
      batch: digest
    }
  }
  const run: ItemChange['run'] = (part) => change.run(withMetadata(part, metadata))
  const applied = await applyChange(edit, { ...change, run }, { planned, validate })
  return { ...result, item: { ...result.item, ...applied } }
}

/** Adds metadata to the changes that an edit records. */
function withMetadata(edit: Edit, metadata: AuditLogChange['metadata']): Edit {
  return {
    ...edit,
    recordChanges: (scope, changes) =>
      edit.recordChanges(
        scope,
        changes.map((change) => ({ ...change, metadata: { ...change.metadata, ...metadata } }))
      )
  }
}

/** Returns the result of a refused item. */
export function refusedItem({ feature, to }: PromotionItemRequest, refusal: Refusal): ItemResult {
  const { statusCode, errorType } = refusal.error
  return {
    item: { feature, to, ...refusal, warnings: [] },
    digest: toDigest([refusal.outcome, statusCode, errorType])
  }
}

/** Returns the part of a digest that identifies a value. */
export function toDigest(value: unknown): string {
  return sha256(value).slice(0, DIGEST_PART)
}

const unchanged: PlannedOutcome = { outcome: 'unchanged', changes: [] }

/** The change of a plan; undefined if nothing would change. */
function toChange({ project, feature, environment, source, body }: ItemPlan): ItemChange | undefined {
  if (!body) return undefined
  return {
    project,
    feature,
    run: (edit) => updateFeature(edit, project, feature._id, featureCommands.updateFeature(body)),
    requested: {
      operation: 'featureUpdate',
      // Bodies of requests are JSON.
      body: { ...body } as never,
      description: `Promotes feature "${feature.key}" from environment "${source.environment.key}" to environment "${environment.key}".`
    }
  }
}

function toResult(plan: ItemPlan, { outcome, changes }: PlannedOutcome): ItemResult {
  const { project, feature, environment, admittedNow, warnings, revision, hash } = plan
  return {
    item: {
      feature: feature.key,
      to: { project: project.key, environment: environment.key },
      outcome,
      changes,
      admittedNow,
      warnings: [...warnings],
      revision
    },
    digest: toDigest([hash, outcome])
  }
}
