import { isDeepStrictEqual } from 'node:util'
import { permissions, type UpdateApiClient } from '@burgee/contract'
import type { Edit } from '../audit/edit.ts'
import { replaceItem } from '../audit/replaceItem.ts'
import type { TokenCaller } from '../caller.ts'
import { forbidden, invalid, notAllowed } from '../errors.ts'
import { given } from '../given.ts'
import type { StoredClient } from '../store/resources.ts'
import { demandBelow } from './demandBelow.ts'
import { demandTrusted } from './demandTrusted.ts'
import { findClient } from './findClient.ts'
import { readRoles } from './readRoles.ts'
import { demandRedirectUris } from './redirectUris.ts'

/**
 * Changes a client; `null` takes a limit away. Where it becomes another to the people who sign in to it, everything that
 * it was given before is void: `forgetAuthorizations` comes next.
 * @throws {ApiError} 400, 403, 404 or 405
 */
export async function changeClient(
  change: Edit,
  reference: string,
  { roles, permissions: limit, ...members }: UpdateApiClient
): Promise<StoredClient> {
  const { store, caller, at } = change
  const before = await findClient(store, reference, caller)
  demandBelow(caller, before, 'changing this client')
  if (before.clientId === caller.clientId) {
    throw notAllowed(`client "${before.clientId}" cannot change itself: somebody else has to`)
  }
  if (before.isDynamic && members.isAssistant === false) {
    throw invalid('isAssistant should be true, got false: the client registered itself, and nobody has vouched for it')
  }
  demandRedirectUris(members.redirectUris ?? [])
  if (before.secretVerifier === undefined && members.redirectUris?.length === 0) {
    throw invalid(
      'redirectUris should have at least one address, since a public client acts only for people who sign in'
    )
  }
  // A member that is undefined is taken away when the client is stored.
  const changed = {
    ...before,
    ...given(members),
    ...(roles === undefined ? {} : { roles: await readRoles(change, roles ?? undefined) }),
    ...(limit === undefined ? {} : { permissions: limit ?? undefined })
  } as StoredClient
  if (!isDeepStrictEqual(before.redirectUris, changed.redirectUris)) {
    demandTrusted(caller, before, 'changing the addresses of a client that people sign in to')
  }
  const after = isAnother(before, changed) ? { ...changed, signedOutAt: at } : changed
  demandLimit(caller, before, after)
  demandBelow(caller, after, 'making this of a client')
  return replaceItem(change, { collection: 'clients', resource: 'ApiClient', subject: {} }, before, after)
}

/** Whether what people agreed to with a client was with another one. */
function isAnother(before: StoredClient, after: StoredClient): boolean {
  const partOf = ({ redirectUris, isAssistant, permissions: limit }: StoredClient) => [redirectUris, isAssistant, limit]
  return !isDeepStrictEqual(partOf(before), partOf(after))
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
