import { isProtected } from '@burgee/contract/schemas'
import type { Edit } from '../../access/audit/edit.ts'
import { operationNotAllowed } from '../../lib/errors.ts'
import type { StoredEnvironment, StoredProject } from '../../storage/resources/project.ts'
import { type Approval, assertProjectChangeAllowed } from '../approvals/assertProjectChangeAllowed.ts'
import { formatRequestLine } from '../approvals/formatRequestLine.ts'
import { assertCanChangeProtected } from './protection.ts'
import { removeEnvironment } from './removeEnvironment.ts'

/**
 * Deletes an environment, unless it is the last one. Call `deleteUserData` next.
 * @throws {HttpError} 403 when the caller lacks a permission, or it needs approval; 405 for the last environment.
 */
export async function deleteEnvironment(
  change: Edit,
  { project, environment }: { readonly project: StoredProject; readonly environment: StoredEnvironment },
  approval: Approval = 'needed'
): Promise<{ readonly _environments: readonly string[] }> {
  const { caller, store } = change
  assertCanChangeProtected(environment, caller)
  if (isProtected(environment)) {
    const line = formatRequestLine('deleteEnvironment', { project: project.key, key: environment.key })
    const what = `deleting environment "${environment.key}", which is ${environment.type},`
    assertProjectChangeAllowed({ project, caller, operation: 'environmentDelete', approval, what, line })
  }
  const all = await store.collection('environments').list({ where: { _project: project._id }, perPage: 1 })
  if (all.count === 1) throw operationNotAllowed('Cannot DELETE last item')
  await removeEnvironment(change, environment)
  return { _environments: [environment._id] }
}
