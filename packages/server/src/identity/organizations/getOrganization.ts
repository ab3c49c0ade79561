import type { TokenCaller } from '../../access/permissions/caller.ts'
import type { StoredOrganization } from '../../storage/resources.ts'
import type { Store } from '../../storage/store.ts'

/** The organization of a caller, which is there as long as the server runs. */
export async function getOrganization(
  store: Store,
  { id, organization: key }: Pick<TokenCaller, 'id' | 'organization'>
): Promise<StoredOrganization> {
  const organization = await store.collection('organizations').get({ key })
  if (!organization) throw new Error(`the organization of ${id} is not there: ${key}`)
  return organization
}
