import type { AuditLogChange } from '@burgee/contract'
import type { Edit } from '../audit/edit.ts'
import { replaceItem } from '../audit/replaceItem.ts'
import { preconditionFailed } from '../errors.ts'
import type { StoredClient } from '../store/resources.ts'
import { demandBelow } from './demandBelow.ts'
import { demandTrusted } from './demandTrusted.ts'
import { findClient } from './findClient.ts'
import type { ClientSecret } from './makeSecret.ts'

/** Replaces the secret of a client. Everything that it was given before is void: `forgetAuthorizations` comes next. @throws {ApiError} 403, 404 or 412 */
export async function rotateSecret(
  change: Edit,
  reference: string,
  { secretVerifier }: ClientSecret
): Promise<StoredClient> {
  const { store, caller, at } = change
  const client = await findClient(store, reference, caller)
  demandBelow(caller, client, 'replacing the secret of this client')
  demandTrusted(caller, client, 'replacing the secret of a client that people sign in to')
  if (client.secretVerifier === undefined) {
    throw preconditionFailed(`client "${client.clientId}" is public: it has no secret`)
  }
  const place = { collection: 'clients', resource: 'ApiClient', subject: {}, tell: asReplaced } as const
  return replaceItem(change, place, client, { ...client, secretVerifier, secretChangedAt: at })
}

/** That a secret was replaced is told, and nothing of the secret. */
function asReplaced(changes: readonly AuditLogChange[]): AuditLogChange[] {
  return changes.map((change) => ({ ...change, metadata: { ...change.metadata, secret: 'replaced' } }))
}
