import { removeAll } from '../../storage/removeAll.ts'
import { type Store, StoreUnavailableError } from '../../storage/store.ts'

/** Ids of what has been removed. */
export interface RemovedIds {
  readonly _project?: string
  readonly _environments: readonly string[]
}

/**
 * Forgets what is kept about users of a project or of environments that are gone. This is a transaction of its own,
 * after the one that removed them, as user data live apart (ADR 2). Between the two, or if the server stops there,
 * nobody can reach what is left: it is found by ids that name nothing any more and are never given again.
 */
export async function deleteUserData(store: Store, { _project, _environments }: RemovedIds): Promise<void> {
  try {
    await store.transaction(async (transaction) => {
      if (_project !== undefined) {
        await removeAll(transaction, 'edgeUsers', { _project })
        await removeAll(transaction, 'deliveries', { _project })
      }
      for (const _environment of _environments) await removeAll(transaction, 'optIns', { _environment })
    })
  } catch (error) {
    // The removal that went before is durable, so the request has succeeded; the store itself tells the operator that it cannot write.
    if (!(error instanceof StoreUnavailableError)) throw error
  }
}
