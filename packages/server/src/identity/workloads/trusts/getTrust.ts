import { findStoredByKeyOrId } from '../../../access/lookup.ts'
import type { TokenCaller } from '../../../access/permissions/caller.ts'
import { itemNotFound } from '../../../lib/errors.ts'
import type { StoredWorkloadTrust } from '../../../storage/resources/workload.ts'
import type { Store } from '../../../storage/store.ts'

/** Returns a trust of the caller's organization by id or key. @throws {HttpError} 404 */
export async function getTrust(
  store: Store,
  reference: string,
  { organization: _organization }: Pick<TokenCaller, 'organization'>
): Promise<StoredWorkloadTrust> {
  const trust = await findStoredByKeyOrId(store.collection('workloadTrusts'), reference, 'key', { _organization })
  if (!trust) throw itemNotFound('trust', reference)
  return trust
}
