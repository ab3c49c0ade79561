import type { StoredProject } from '../../storage/resources/project.ts'
import type { Store } from '../../storage/store.ts'

/**
 * Returns the ids of the environments that a project had before. Their events are stored until they expire, and only
 * the audit log still knows the project.
 */
export async function listRemovedEnvironmentIds(
  store: Store,
  { _id: _project }: Pick<StoredProject, '_id'>
): Promise<readonly string[]> {
  const ids: string[] = []
  for await (const { changes } of store.collection('auditEntries').scan({ where: { _project } })) {
    for (const { type, previousContents } of changes) {
      const id = previousContents?._id
      if (type === 'deletedEnvironment' && typeof id === 'string') ids.push(id)
    }
  }
  return ids
}
