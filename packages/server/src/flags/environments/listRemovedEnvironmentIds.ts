import type { StoredProject } from '../../storage/resources/project.ts'
import type { Store } from '../../storage/store.ts'

/**
 * Returns the ids of the environments that a project had before. Their events are stored until they expire, and only the
 * audit log still knows the project.
 */
export async function listRemovedEnvironmentIds(
  store: Store,
  { _id: _project }: Pick<StoredProject, '_id'>
): Promise<readonly string[]> {
  const { items } = await store.collection('auditEntries').list({ where: { _project } })
  return items.flatMap(({ changes }) =>
    changes.flatMap(({ type, previousContents }) => {
      const id = previousContents?._id
      return type === 'deletedEnvironment' && typeof id === 'string' ? [id] : []
    })
  )
}
