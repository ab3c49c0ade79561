import type { ApiClient } from '@burgee/contract'
import { authorOf } from '../author.ts'
import { given } from '../given.ts'
import { toGrants } from '../organizations/readGrants.ts'
import type { StoredClient } from '../store/resources.ts'

/** A client as answers have it: nothing of its secret. */
export function toApiClient(client: StoredClient): ApiClient {
  const { _id, createdAt, updatedAt, clientId, name, secretVerifier, isAssistant, isDynamic } = client
  const { redirectUris, roles, permissions } = client
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
    ...given({ roles: roles && toGrants(roles), permissions: permissions && [...permissions] }),
    _createdBy: authorOf(client)
  }
}
