import type { StoredClient } from '../../storage/resources/organization.ts'
import type { Store } from '../../storage/store.ts'

/** Lists the dynamically registered clients that nobody consented to, the oldest first. */
export async function listUnusedClients(store: Store): Promise<readonly StoredClient[]> {
  const { items } = await store.collection('authorizations').list()
  const used = new Set(items.map(({ payload }) => payload.clientId))
  const dynamic = await store.collection('clients').list({ where: { isDynamic: true }, sortBy: 'createdAt' })
  return dynamic.items.filter(({ clientId }) => !used.has(clientId))
}
