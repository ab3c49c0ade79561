import { deletedChange } from '../../access/audit/changes.ts'
import type { Edit } from '../../access/audit/edit.ts'
import { operationNotAllowed } from '../../lib/errors.ts'
import { COMMAND_LINE_CLIENT_ID, type StoredClient } from '../../storage/resources/organization.ts'
import { assertMayManageClient } from './assertMayManageClient.ts'
import { getApiClient } from './getApiClient.ts'

/**
 * Deletes a client. Its tokens become invalid at once, since each use of a token looks the client up.
 * @throws {HttpError} 403, 404 or 405
 */
export async function removeApiClient(
  { store, caller, recordChanges }: Edit,
  reference: string
): Promise<StoredClient> {
  const client = await getApiClient(store, reference, caller)
  if (client.clientId === caller.clientId) {
    throw operationNotAllowed(`client "${client.clientId}" cannot revoke itself; use other credentials`)
  }
  assertMayManageClient(caller, client, 'revoking this client')
  if (client.clientId === COMMAND_LINE_CLIENT_ID) {
    throw operationNotAllowed(
      `client "${client.clientId}" is the one of burgee login, and cannot be deleted; limit it with permissions, allowedNetworks or expiresAt`
    )
  }
  await store.collection('clients').remove(client._id)
  recordChanges({}, [deletedChange('ApiClient', client)])
  return client
}
