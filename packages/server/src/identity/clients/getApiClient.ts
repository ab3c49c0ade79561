import type { TokenCaller } from '../../access/permissions/caller.ts'
import { itemNotFound } from '../../lib/errors.ts'
import type { StoredClient } from '../../storage/resources/organization.ts'
import type { Store } from '../../storage/store.ts'

/** Returns a client of the caller's organization by client id or id. @throws {HttpError} 404 */
export async function getApiClient(
  store: Store,
  reference: string,
  { organization: _organization }: Pick<TokenCaller, 'organization'>
): Promise<StoredClient> {
  const clients = store.collection('clients')
  const client =
    (await clients.get({ _organization, clientId: reference })) ??
    (await clients.get({ _organization, _id: reference }))
  if (!client) throw itemNotFound('API client', reference)
  return client
}
