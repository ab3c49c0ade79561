import { deletedChange } from '../../access/audit/changes.ts'
import type { Edit } from '../../access/audit/edit.ts'
import { operationNotAllowed } from '../../lib/errors.ts'
import type { StoredProject } from '../../storage/resources/project.ts'
import { type Approval, assertProjectChangeAllowed } from '../approvals/assertProjectChangeAllowed.ts'
import { formatRequestLine } from '../approvals/formatRequestLine.ts'
import type { RemovedIds } from './deleteUserData.ts'
import { removeProject } from './removeProject.ts'

/**
 * Deletes a project, unless it is the last one. Call `deleteUserData` next.
 * @throws {HttpError} 403 when it needs approval, 405 for the last project.
 */
export async function deleteProject(
  { store, caller, recordChanges }: Edit,
  project: StoredProject,
  approval: Approval = 'needed'
): Promise<RemovedIds> {
  const { _id: _project, _organization } = project
  const line = formatRequestLine('deleteProject', { key: project.key })
  const what = `deleting project "${project.key}"`
  assertProjectChangeAllowed({ project, caller, operation: 'projectDelete', approval, what, line })
  const all = await store.collection('projects').list({ where: { _organization }, perPage: 1 })
  if (all.count === 1) throw operationNotAllowed('Cannot DELETE last item')
  const environments = await store.collection('environments').list({ where: { _project } })
  await removeProject(store, project)
  // The entry belongs to the organization, since those of the project are removed.
  recordChanges({}, [deletedChange('Project', project)])
  return { _project, _environments: environments.items.map(({ _id }) => _id) }
}
