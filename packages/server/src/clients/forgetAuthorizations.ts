import type { StoredClient } from '../store/resources.ts'
import { type Store, StoreUnavailableError } from '../store/store.ts'

/**
 * Forgets what the authorization server remembers of a client that is gone: consents, codes, refresh tokens. This is a
 * transaction of its own, after the one that removed it, as these live apart (ADR 2). What is left if the server stops
 * between the two is of no use without the client, and ends when its time is over.
 */
export async function forgetAuthorizations(store: Store, { clientId }: Pick<StoredClient, 'clientId'>): Promise<void> {
  try {
    await store.transaction(async (transaction) => {
      const authorizations = transaction.collection('authorizations')
      for (const { _id, payload } of (await authorizations.list()).items) {
        if (payload.clientId === clientId) await authorizations.remove(_id)
      }
    })
  } catch (error) {
    // The removal that went before is durable, so the request has succeeded; the store itself tells the operator that it cannot write.
    if (!(error instanceof StoreUnavailableError)) throw error
  }
}
