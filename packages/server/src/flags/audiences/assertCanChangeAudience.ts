import { isDeepStrictEqual } from 'node:util'
import { isProtected } from '@burgee/contract/schemas'
import type { Edit } from '../../access/audit/edit.ts'
import { assertPermission } from '../../access/permissions/assertPermission.ts'
import type { StoredAudience, StoredProject } from '../../storage/resources/project.ts'
import type { Store } from '../../storage/store.ts'
import { isApprovalRequired } from '../approvals/approvalWorkflow.ts'
import { type Approval, assertProjectChangeAllowed } from '../approvals/assertProjectChangeAllowed.ts'
import { formatRequestLine } from '../approvals/formatRequestLine.ts'
import { listOpenRequests } from '../approvals/openRequests.ts'
import { audienceReferences } from './audienceReferences.ts'
import { listConfigurationsByEnvironment } from './audienceUsage.ts'

interface AudienceChange {
  readonly project: StoredProject
  readonly before: StoredAudience
  readonly after: StoredAudience
  readonly approval: Approval
  readonly operation: keyof typeof audienceOperations
}

const audienceOperations = { audienceUpdate: 'updateAudience', audienceSemanticUpdate: 'patchAudience' } as const

/**
 * Asserts that the caller can change the filters of an audience. If an active feature uses it in a protected
 * environment, this requires `feature:publish`. In a project with approvals, it takes approval if any target in a
 * protected environment, or an open change request, refers to it.
 * @throws {HttpError} 403
 */
export async function assertCanChangeAudience(
  { store, caller }: Edit,
  { project, before, after, approval, operation }: AudienceChange
): Promise<void> {
  if (isDeepStrictEqual(before.filters, after.filters)) return
  const referring = await findReferringAudiences(store, before)
  if (isApprovalRequired(project) && (await isInProtected(store, project, referring, ['active', 'inactive']))) {
    const line = formatRequestLine(audienceOperations[operation], { project: project.key, key: before.key })
    const what = `changing the filters of audience "${before.key}", which targets in protected environments use,`
    assertProjectChangeAllowed({ project, caller, operation, approval, what, line })
  }
  if (await isInProtected(store, project, referring, ['active'])) {
    assertPermission(caller, 'feature:publish', before._project)
  }
}

/** Whether a target in a protected environment, on in one of these statuses, refers to one of these audiences. */
async function isInProtected(
  store: Store,
  project: StoredProject,
  referring: ReadonlySet<string>,
  statuses: readonly string[]
): Promise<boolean> {
  const all = await listConfigurationsByEnvironment(store, project._id)
  const isServed = all
    .filter(({ environment }) => isProtected(environment))
    .flatMap(({ configurations }) => configurations)
    .filter(({ status }) => statuses.includes(status))
    .flatMap(({ targets }) => targets)
    .some((target) => audienceReferences(target.audience.filters).some((id) => referring.has(id)))
  if (isServed || !statuses.includes('inactive')) return isServed
  // Otherwise the audience could be changed between the review of a target and its application.
  const open = await listOpenRequests(store, project._id)
  return open.some(({ changes }) => {
    const json = JSON.stringify(changes)
    return [...referring].some((id) => json.includes(id))
  })
}

/** Returns the ids of an audience and of all audiences that refer to it, directly or through others. */
async function findReferringAudiences(store: Store, { _id, _project }: StoredAudience): Promise<ReadonlySet<string>> {
  const { items } = await store.collection('audiences').list({ where: { _project } })
  const found = new Set([_id])
  // The set grows during the iteration.
  for (const id of found) {
    for (const { _id, filters } of items) if (audienceReferences(filters).includes(id)) found.add(_id)
  }
  return found
}
