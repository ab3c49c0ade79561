import type { StoredAuditEntry, StoredOrganization } from '../../storage/resources.ts'
import type { Store } from '../../storage/store.ts'
import { type ChainHead, chainEntry, createGenesisHead, isUnchained } from './hashChain.ts'

/** Keeps entries at the end of an organization's chain, as part of the transaction that `store` is of. */
export async function appendEntries(
  store: Store,
  organization: StoredOrganization,
  made: readonly StoredAuditEntry[]
): Promise<void> {
  if (made.length === 0) return
  let head = organization.auditHead ?? (await findGenesisHead(store, organization))
  for (const entry of made) {
    const next = chainEntry(entry, head)
    await store.collection('auditEntries').insert(next)
    head = { position: next.position, hash: next.hash }
  }
  await store.collection('organizations').update(organization._id, { auditHead: head })
}

/** Where the chain of an organization begins that has none yet. */
async function findGenesisHead(store: Store, { key }: StoredOrganization): Promise<ChainHead> {
  const query = { where: { _organization: key }, sortBy: 'createdAt' } as const
  const { items } = await store.collection('auditEntries').list(query)
  return createGenesisHead(items.filter(isUnchained))
}
