import { permissions, type UpdateApiClient } from '@burgee/contract'
import type { Edit } from '../audit/edit.ts'
import { replaceItem } from '../audit/replaceItem.ts'
import type { TokenCaller } from '../caller.ts'
import { forbidden, invalid } from '../errors.ts'
import { given } from '../given.ts'
import type { StoredClient } from '../store/resources.ts'
import { demandBelow } from './demandBelow.ts'
import { findClient } from './findClient.ts'
import { readRoles } from './readRoles.ts'
import { demandRedirectUris } from './redirectUris.ts'

/** Changes a client; `null` takes a limit away. @throws {ApiError} 400, 403 or 404 */
export async function changeClient(
  change: Edit,
  reference: string,
  { roles, permissions: limit, ...members }: UpdateApiClient
): Promise<StoredClient> {
  const { store, caller } = change
  const before = await findClient(store, reference, caller)
  demandBelow(caller, before, 'changing this client')
  demandRedirectUris(members.redirectUris ?? [])
  if (before.secretVerifier === undefined && members.redirectUris?.length === 0) {
    throw invalid(
      'redirectUris should have at least one address, since a public client acts only for people who sign in'
    )
  }
  // A member that is undefined is taken away when the client is stored.
  const after = {
    ...before,
    ...given(members),
    ...(roles === undefined ? {} : { roles: await readRoles(change, roles ?? undefined) }),
    ...(limit === undefined ? {} : { permissions: limit ?? undefined })
  } as StoredClient
  demandLimit(caller, before, after)
  demandBelow(caller, after, 'making this of a client')
  return replaceItem(change, { collection: 'clients', resource: 'ApiClient', subject: {} }, before, after)
}

/** Demands that nothing is held back no more that the caller may nowhere do: they could be acting through this very client. @throws {ApiError} 403 */
function demandLimit({ access }: TokenCaller, before: StoredClient, after: StoredClient): void {
  const isHeldBack = ({ permissions: limit }: StoredClient, name: (typeof permissions)[number]) => {
    return limit !== undefined && !limit.includes(name)
  }
  for (const permission of permissions) {
    if (isHeldBack(before, permission) && !isHeldBack(after, permission) && !access.allowsSomewhere(permission)) {
      throw forbidden(`letting a client do more takes the permission ${permission}`)
    }
  }
}
