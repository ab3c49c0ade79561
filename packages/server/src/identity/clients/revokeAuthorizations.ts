import type { StoredClient } from '../../storage/resources/organization.ts'
import { type Store, StoreUnavailableError } from '../../storage/store.ts'

/**
 * Deletes the authorization state of a deleted or changed client: consents, codes, refresh tokens, pending logins.
 * `until` keeps state that was issued after that moment. Runs in a separate transaction, since this state is in a
 * separate file (ADR 2). If the server stops before it, the remaining state is already revoked and expires by itself.
 */
export async function revokeAuthorizations(
  store: Store,
  { clientId }: Pick<StoredClient, 'clientId'>,
  until?: string
): Promise<void> {
  try {
    await store.transaction(async (transaction) => {
      const authorizations = transaction.collection('authorizations')
      for (const { _id, payload, createdAt } of (await authorizations.list()).items) {
        const { client_id } = Object(payload.params)
        const isOld = until === undefined || createdAt <= until
        if (isOld && [payload.clientId, client_id].includes(clientId)) await authorizations.remove(_id)
      }
    })
  } catch (error) {
    // The preceding change is durable, so the request succeeded. The store itself reports that it cannot write.
    if (!(error instanceof StoreUnavailableError)) throw error
  }
}
