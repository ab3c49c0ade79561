import type { TokenCaller } from '../caller.ts'
import { itemNotFound } from '../errors.ts'
import type { StoredClient } from '../store/resources.ts'
import type { Store } from '../store/store.ts'

/** The client of the caller's organization that a request names by client id or id. @throws {ApiError} 404 */
export async function findClient(
  store: Store,
  reference: string,
  { organization: _organization }: Pick<TokenCaller, 'organization'>
): Promise<StoredClient> {
  const clients = store.collection('clients')
  const client =
    (await clients.get({ _organization, clientId: reference })) ??
    (await clients.get({ _organization, _id: reference }))
  if (!client) throw itemNotFound(reference)
  return client
}
