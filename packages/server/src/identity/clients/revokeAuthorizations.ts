import type { StoredClient } from '../../storage/resources.ts'
import { type Store, StoreUnavailableError } from '../../storage/store.ts'

/**
 * Forgets what the authorization server remembers of a client that is gone, or has become another: consents, codes,
 * refresh tokens, sign-ins under way. This is a transaction of its own, after the one that changed it, as these live apart
 * (ADR 2). `until` spares what it was given after that moment. What is left if the server stops between the two is void by
 * then, and ends when its time is over.
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
    // The removal that went before is durable, so the request has succeeded; the store itself tells the operator that it cannot write.
    if (!(error instanceof StoreUnavailableError)) throw error
  }
}
