import type { TokenCaller } from '../caller.ts'
import type { StoredOrganization } from '../store/resources.ts'
import type { Store } from '../store/store.ts'

/** The organization of a caller, which is there as long as the server runs. */
export async function findOrganization(
  store: Store,
  { id, organization: key }: Pick<TokenCaller, 'id' | 'organization'>
): Promise<StoredOrganization> {
  const organization = await store.collection('organizations').get({ key })
  if (!organization) throw new Error(`the organization of ${id} is not there: ${key}`)
  return organization
}
