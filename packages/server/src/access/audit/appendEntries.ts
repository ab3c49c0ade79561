import type { StoredAuditEntry } from '../../storage/resources/history.ts'
import type { StoredOrganization } from '../../storage/resources/organization.ts'
import type { Store } from '../../storage/store.ts'
import { type ChainHead, chainEntry, createGenesisHead, isUnchained } from './hashChain.ts'

/** Appends entries to the chain of an organization, within the transaction of `store`. */
export async function appendEntries(
  store: Store,
  organization: StoredOrganization,
  added: readonly StoredAuditEntry[]
): Promise<void> {
  if (added.length === 0) return
  let head = organization.auditHead ?? (await findGenesisHead(store, organization))
  for (const entry of added) {
    const next = chainEntry(entry, head)
    await store.collection('auditEntries').insert(next)
    head = { position: next.position, hash: next.hash }
  }
  await store.collection('organizations').update(organization._id, { auditHead: head })
}

/** Returns the head of a chain that has no entries yet. */
async function findGenesisHead(store: Store, { key }: StoredOrganization): Promise<ChainHead> {
  const query = { where: { _organization: key }, sortBy: 'createdAt' } as const
  const { items } = await store.collection('auditEntries').list(query)
  return createGenesisHead(items.filter(isUnchained))
}
