import type { AuditLogChange } from '@burgee/contract/schemas'
import type { Edit } from '../../access/audit/edit.ts'
import { updateAudited } from '../../access/audit/updateAudited.ts'
import { hasFullAccess } from '../../access/permissions/assertNoEscalation.ts'
import { findRoot } from '../../access/permissions/findRoot.ts'
import { preconditionFailed } from '../../lib/errors.ts'
import type { StoredClient } from '../../storage/resources/organization.ts'
import {
  assertMayManageClient,
  assertMayTakeOverClient,
  assertMayUseClientId,
  type ConfiguredClientIds
} from './assertMayManageClient.ts'
import type { ClientSecret } from './generateClientSecret.ts'
import { getApiClient } from './getApiClient.ts'

/**
 * Replaces the secret of a client, which revokes everything issued to the client before. Call `revokeAuthorizations`
 * next.
 * @throws {HttpError} 403, 404 or 412
 */
export async function rotateClientSecret(
  change: Edit,
  reference: string,
  { secretVerifier }: ClientSecret,
  configured?: ConfiguredClientIds
): Promise<StoredClient> {
  const { store, caller, at } = change
  const client = await getApiClient(store, reference, caller)
  // The limit of the permissions can be lifted later, and the secret remains.
  const { permissions: _, ...unlimited } = client
  assertMayManageClient(caller, unlimited, 'replacing the secret of this client')
  assertMayUseClientId(caller, client.clientId, configured)
  assertMayTakeOverClient(caller, client, 'replacing the secret of a client that people sign in to')
  if (client.secretVerifier === undefined) {
    throw preconditionFailed(`client "${client.clientId}" is public: it has no secret`)
  }
  const place = { collection: 'clients', resource: 'ApiClient', subject: {}, mapChanges: markSecretReplaced } as const
  // The holder of the new secret is responsible for what the client approves.
  const _root = await findRoot(store, caller.id)
  const isSecretPrivileged = hasFullAccess(caller)
  return updateAudited(change, place, client, {
    ...client,
    secretVerifier,
    secretChangedAt: at,
    _root,
    isSecretPrivileged
  })
}

/** Records that a secret was replaced, without the secret. */
function markSecretReplaced(changes: readonly AuditLogChange[]): AuditLogChange[] {
  return changes.map((change) => ({ ...change, metadata: { ...change.metadata, secret: 'replaced' } }))
}
