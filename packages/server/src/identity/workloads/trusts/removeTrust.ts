import { deletedChange } from '../../../access/audit/changes.ts'
import type { Edit } from '../../../access/audit/edit.ts'
import { assertOwner } from '../../../access/permissions/assertOwner.ts'
import { getTrust } from './getTrust.ts'

/** Deletes a trust. Its tokens are invalid at once, since each use looks up the trust. @throws {HttpError} */
export async function removeTrust({ store, caller, recordChanges }: Edit, reference: string): Promise<void> {
  assertOwner(caller)
  const trust = await getTrust(store, reference, caller)
  await store.collection('workloadTrusts').remove(trust._id)
  recordChanges({}, [deletedChange('WorkloadTrust', trust)])
}
