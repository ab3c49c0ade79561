import type { StoredAuditEntry, StoredOrganization } from '../store/resources.ts'
import type { Store } from '../store/store.ts'
import { beginningAfter, chained, type Head, isUnchained } from './chain.ts'

/** Keeps entries at the end of an organization's chain, as part of the transaction that `store` is of. */
export async function append(
  store: Store,
  organization: StoredOrganization,
  made: readonly StoredAuditEntry[]
): Promise<void> {
  if (made.length === 0) return
  let head = organization.auditHead ?? (await beginningIn(store, organization))
  for (const entry of made) {
    const next = chained(entry, head)
    await store.collection('auditEntries').insert(next)
    head = { position: next.position, hash: next.hash }
  }
  await store.collection('organizations').update(organization._id, { auditHead: head })
}

/** Where the chain of an organization begins that has none yet. */
async function beginningIn(store: Store, { key }: StoredOrganization): Promise<Head> {
  const query = { where: { _organization: key }, sortBy: 'createdAt' } as const
  const { items } = await store.collection('auditEntries').list(query)
  return beginningAfter(items.filter(isUnchained))
}
