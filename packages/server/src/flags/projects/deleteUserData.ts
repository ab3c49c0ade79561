import { removeAll } from '../../storage/removeAll.ts'
import { type Store, StoreUnavailableError } from '../../storage/store.ts'

/** The ids of a removed project or of removed environments. */
export interface RemovedIds {
  readonly _project?: string
  readonly _environments: readonly string[]
}

/**
 * Deletes the user data of a removed project or of removed environments, and the records of their use. User data is
 * stored separately (ADR 2), so this is a second transaction. If the server stops in between, the rest is unreachable:
 * its ids are never assigned again.
 */
export async function deleteUserData(store: Store, { _project, _environments }: RemovedIds): Promise<void> {
  try {
    await store.transaction(async (transaction) => {
      if (_project !== undefined) {
        await removeAll(transaction, 'edgeUsers', { _project })
        await removeAll(transaction, 'deliveries', { _project })
      }
      for (const _environment of _environments) {
        await removeAll(transaction, 'optIns', { _environment })
        await transaction.collection('environmentUses').remove(_environment)
      }
    })
  } catch (error) {
    // The removal is durable, so the request has succeeded. The store reports to the operator that it cannot write.
    if (!(error instanceof StoreUnavailableError)) throw error
  }
}
