import { isDeepStrictEqual } from 'node:util'
import { permissions } from '@burgee/contract'
import type { UpdateApiClient } from '@burgee/contract/schemas'
import { omitUndefined } from '@burgee/kit'
import type { Edit } from '../../access/audit/edit.ts'
import { updateAudited } from '../../access/audit/updateAudited.ts'
import type { TokenCaller } from '../../access/permissions/caller.ts'
import { normalizeNetworks } from '../../access/restrictions/allowedNetworks.ts'
import { normalizeExpiry } from '../../access/restrictions/expiry.ts'
import { badRequest, forbidden, operationNotAllowed } from '../../lib/errors.ts'
import type { StoredClient } from '../../storage/resources/organization.ts'
import {
  assertMayChooseSignInId,
  assertMayManageClient,
  assertMayTakeOverClient,
  assertMayUseClientId,
  type ConfiguredClientIds
} from './assertMayManageClient.ts'
import { assertRedirectUris } from './assertRedirectUris.ts'
import { getApiClient } from './getApiClient.ts'
import { resolveClientRoles } from './resolveClientRoles.ts'

/**
 * Updates a client; `null` removes a limit. A change of the members that consents refer to revokes everything issued to
 * the client before; call `revokeAuthorizations` next.
 * @throws {HttpError} 400, 403, 404 or 405
 */
export async function updateApiClient(
  change: Edit,
  reference: string,
  { roles, permissions: limit, expiresAt, allowedNetworks, ...members }: UpdateApiClient,
  configured?: ConfiguredClientIds
): Promise<StoredClient> {
  const { store, caller, at } = change
  const before = await getApiClient(store, reference, caller)
  if (before.clientId === caller.clientId) {
    throw operationNotAllowed(`client "${before.clientId}" cannot change itself; use other credentials`)
  }
  assertMayManageClient(caller, before, 'changing this client')
  assertMayUseClientId(caller, before.clientId, configured)
  if (before.isDynamic && members.isAssistant === false) {
    throw badRequest('isAssistant should be true, got false: the client registered itself, so it is unverified')
  }
  assertRedirectUris(members.redirectUris ?? [])
  if (before.secretVerifier === undefined && members.redirectUris?.length === 0) {
    throw badRequest(
      'redirectUris should have at least one address, since a public client acts only for people who sign in'
    )
  }
  // The store removes members that are undefined.
  const changed = {
    ...before,
    ...omitUndefined(members),
    ...(roles === undefined ? {} : { roles: await resolveClientRoles(change, roles ?? undefined) }),
    ...(limit === undefined ? {} : { permissions: limit ?? undefined }),
    ...(expiresAt === undefined ? {} : { expiresAt: expiresAt === null ? undefined : normalizeExpiry(expiresAt, at) }),
    ...(allowedNetworks === undefined
      ? {}
      : { allowedNetworks: allowedNetworks === null ? undefined : normalizeNetworks(allowedNetworks) })
  } as StoredClient
  if (!isDeepStrictEqual(before.redirectUris, changed.redirectUris)) {
    assertMayTakeOverClient(caller, before, 'changing the addresses of a client that people sign in to')
    if (before.redirectUris.length === 0) assertMayChooseSignInId(caller, changed)
  }
  const after = invalidatesConsent(before, changed) ? { ...changed, signedOutAt: at } : changed
  assertMayLiftLimit(caller, before, after)
  assertMayManageClient(caller, after, 'making these changes to a client')
  return updateAudited(change, { collection: 'clients', resource: 'ApiClient', subject: {} }, before, after)
}

/** Whether earlier consents to a client no longer describe it. */
function invalidatesConsent(before: StoredClient, after: StoredClient): boolean {
  const consentMembersOf = ({ redirectUris, isAssistant, permissions: limit }: StoredClient) => [
    redirectUris,
    isAssistant,
    limit
  ]
  return !isDeepStrictEqual(consentMembersOf(before), consentMembersOf(after))
}

/**
 * Asserts that the caller has every permission that the client gains, since the caller could act through this client.
 * @throws {HttpError} 403
 */
function assertMayLiftLimit({ access }: TokenCaller, before: StoredClient, after: StoredClient): void {
  const isExcluded = ({ permissions: limit }: StoredClient, name: (typeof permissions)[number]) => {
    return limit !== undefined && !limit.includes(name)
  }
  for (const permission of permissions) {
    if (isExcluded(before, permission) && !isExcluded(after, permission) && !access.allowsAnywhere(permission)) {
      throw forbidden(`extending the permissions of a client requires the permission ${permission}`)
    }
  }
}
