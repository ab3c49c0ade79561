import { findStoredByKeyOrId } from '../../access/lookup.ts'
import type { TokenCaller } from '../../access/permissions/caller.ts'
import { itemNotFound } from '../../lib/errors.ts'
import type { StoredClient } from '../../storage/resources/organization.ts'
import type { Store } from '../../storage/store.ts'

/** Returns a client of the caller's organization by id or client id. @throws {HttpError} 404 */
export async function getApiClient(
  store: Store,
  reference: string,
  { organization: _organization }: Pick<TokenCaller, 'organization'>
): Promise<StoredClient> {
  const client = await findStoredByKeyOrId(store.collection('clients'), reference, 'clientId', { _organization })
  if (!client) throw itemNotFound('API client', reference)
  return client
}
