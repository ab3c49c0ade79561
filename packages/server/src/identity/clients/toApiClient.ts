import type { ApiClient } from '@burgee/contract/schemas'
import { omitUndefined } from '@burgee/kit'
import { createdBy } from '../../access/createdBy.ts'
import type { TokenCaller } from '../../access/permissions/caller.ts'
import { canSeeRestrictions } from '../../access/permissions/personalData.ts'
import type { StoredClient } from '../../storage/resources/organization.ts'
import { toRoleGrants } from '../organizations/resolveGrants.ts'

/** Converts a client to its API form for a caller, without its secret. */
export function toApiClient(client: StoredClient, caller: TokenCaller): ApiClient {
  const { _id, createdAt, updatedAt, clientId, name, secretVerifier, isAssistant, isDynamic } = client
  const { redirectUris, roles, permissions } = client
  const { expiresAt, allowedNetworks } = canSeeRestrictions(caller, client) ? client : {}
  return {
    _id,
    createdAt,
    updatedAt,
    clientId,
    name,
    isPublic: secretVerifier === undefined,
    isAssistant,
    isDynamic,
    redirectUris: [...redirectUris],
    ...omitUndefined({
      roles: roles && toRoleGrants(roles),
      permissions: permissions && [...permissions],
      expiresAt,
      allowedNetworks: allowedNetworks && [...allowedNetworks]
    }),
    _createdBy: createdBy(client)
  }
}
