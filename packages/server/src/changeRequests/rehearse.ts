import type { AuditLogChange } from '@burgee/contract'
import type { Edit } from '../audit/edit.ts'
import type { StoredFeature } from '../store/resources.ts'

/** What an edit would change of a feature, without changing it. Fails as the edit would. */
export async function rehearse(
  change: Edit,
  { _id }: StoredFeature,
  work: (part: Edit) => Promise<unknown>
): Promise<readonly AuditLogChange[]> {
  const changes: AuditLogChange[] = []
  const note: Edit['note'] = ({ _feature }, made) => void (_feature === _id && changes.push(...made))
  const end = new Error('the rehearsal is over')
  await change.store
    .transaction(async (store) => {
      await work({ ...change, store, note })
      // A part of a transaction that fails leaves nothing behind.
      throw end
    })
    .catch((error) => {
      if (error !== end) throw error
    })
  return changes
}
