import { operations } from '@burgee/contract'
import type { AudienceInstructions, UpdateAudience } from '@burgee/contract/schemas'
import type { Operator } from '@burgee/core'
import { omitUndefined } from '@burgee/kit'
import type { Edit } from '../../access/audit/edit.ts'
import { updateAudited } from '../../access/audit/updateAudited.ts'
import { indexByKeyOrId } from '../../access/lookup.ts'
import type { ParseBody } from '../../access/parseBody.ts'
import { assertSize } from '../../lib/limits/assertSize.ts'
import type { StoredAudience, StoredProject } from '../../storage/resources/project.ts'
import type { Store } from '../../storage/store.ts'
import type { Approval } from '../approvals/assertProjectChangeAllowed.ts'
import { applySemanticPatch } from './applySemanticPatch.ts'
import { assertCanChangeAudience } from './assertCanChangeAudience.ts'
import { assertNoCycle } from './assertNoCycle.ts'
import { resolveAudiences } from './resolveAudiences.ts'

/** An audience with its project. */
export interface AudienceOfProject {
  readonly project: StoredProject
  readonly audience: StoredAudience
}

/** Updates an audience. @throws {HttpError} 403 when the caller lacks a permission, or the change needs approval. */
export async function updateAudience(
  change: Edit,
  { project, audience: before }: AudienceOfProject,
  { filters, ...members }: UpdateAudience,
  approval: Approval = 'needed'
): Promise<StoredAudience> {
  const others = filters ? await listProjectAudiences(change.store, project) : []
  const after: StoredAudience = {
    ...before,
    ...omitUndefined(members),
    ...(filters ? { filters: resolveReferences(filters, others) } : {})
  }
  if (filters) {
    assertNoCycle(after, others)
    assertAudienceSize(before, after)
  }
  await assertCanChangeAudience(change, { project, before, after, approval, operation: 'audienceUpdate' })
  return replace(change, before, after)
}

/** Applies a semantic patch to an audience. @throws {HttpError} as `updateAudience` */
export async function patchAudience(
  change: Edit,
  { project, audience: before }: AudienceOfProject,
  { instructions }: AudienceInstructions,
  { validate, approval = 'needed' }: { readonly validate: ParseBody; readonly approval?: Approval }
): Promise<StoredAudience> {
  const filters = applySemanticPatch(before.filters, instructions)
  if (filters === before.filters) return before
  validate(operations.updateAudience.body, { filters })
  const after = { ...before, filters, updatedAt: change.at }
  assertAudienceSize(before, after)
  await assertCanChangeAudience(change, { project, before, after, approval, operation: 'audienceSemanticUpdate' })
  return replace(change, before, after)
}

/** Asserts that the filters of an audience are not too large. @throws {HttpError} 412 */
export function assertAudienceSize(before: Sized | undefined, after: Sized): void {
  const remedy = 'divide it into several audiences, and match any of them in another one'
  assertSize(`audience "${after.key ?? after.name}"`, { before: before?.filters, after: after.filters, remedy })
}

type Sized = Pick<StoredAudience, 'key' | 'name' | 'filters'>

/** Returns the audiences of a project. */
export async function listProjectAudiences(
  store: Store,
  { _id }: Pick<StoredProject, '_id'>
): Promise<readonly StoredAudience[]> {
  return (await store.collection('audiences').list({ where: { _project: _id } })).items
}

/** Replaces references to audiences in filters by ids. @throws {HttpError} 400 with every unknown reference. */
export function resolveReferences(
  filters: NonNullable<UpdateAudience['filters']>,
  known: readonly StoredAudience[]
): Operator {
  const audienceOf = indexByKeyOrId(known)
  // The contract checks its schema against this type, except for operators nested in operators.
  return resolveAudiences(filters as Operator, (reference) => audienceOf(reference)?._id, 'filters')
}

function replace(change: Edit, before: StoredAudience, after: StoredAudience): Promise<StoredAudience> {
  const subject = { _project: before._project }
  return updateAudited(change, { collection: 'audiences', resource: 'Audience', subject }, before, after)
}
