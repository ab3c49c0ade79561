import type { TokenCaller } from '../../access/permissions/caller.ts'
import type { StoredOrganization } from '../../storage/resources/organization.ts'
import type { Store } from '../../storage/store.ts'

/** Returns the organization of a caller. It exists as long as the server runs. */
export async function getOrganization(
  store: Store,
  { id, organization: key }: Pick<TokenCaller, 'id' | 'organization'>
): Promise<StoredOrganization> {
  const organization = await store.collection('organizations').get({ key })
  if (!organization) throw new Error(`organization ${key} of ${id} does not exist`)
  return organization
}
