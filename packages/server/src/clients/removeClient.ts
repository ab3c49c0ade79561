import { deleted } from '../audit/changes.ts'
import type { Edit } from '../audit/edit.ts'
import { notAllowed } from '../errors.ts'
import type { StoredClient } from '../store/resources.ts'
import { demandBelow } from './demandBelow.ts'
import { findClient } from './findClient.ts'

/** Removes a client. Its tokens are void with it, since it is looked up whenever one is used. @throws {ApiError} 403, 404 or 405 */
export async function removeClient({ store, caller, note }: Edit, reference: string): Promise<StoredClient> {
  const client = await findClient(store, reference, caller)
  if (client.clientId === caller.clientId) {
    throw notAllowed(`client "${client.clientId}" cannot revoke itself: somebody else has to`)
  }
  demandBelow(caller, client, 'revoking this client')
  await store.collection('clients').remove(client._id)
  note({}, [deleted('ApiClient', client)])
  return client
}
