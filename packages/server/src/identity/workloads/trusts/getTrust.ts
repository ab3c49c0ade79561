import type { TokenCaller } from '../../../access/permissions/caller.ts'
import { itemNotFound } from '../../../lib/errors.ts'
import type { StoredWorkloadTrust } from '../../../storage/resources/workload.ts'
import type { Store } from '../../../storage/store.ts'

/** Returns a trust of the caller's organization by key or id. @throws {HttpError} 404 */
export async function getTrust(
  store: Store,
  reference: string,
  { organization: _organization }: Pick<TokenCaller, 'organization'>
): Promise<StoredWorkloadTrust> {
  const trusts = store.collection('workloadTrusts')
  const trust =
    (await trusts.get({ _organization, _id: reference })) ?? (await trusts.get({ _organization, key: reference }))
  if (!trust) throw itemNotFound('trust', reference)
  return trust
}
