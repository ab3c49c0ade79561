import { assertFullAccess } from '../../access/permissions/assertNoEscalation.ts'
import type { TokenCaller } from '../../access/permissions/caller.ts'
import type { StoredClient } from '../../storage/resources.ts'

/**
 * Demands of those who would get hold of a client that people sign in to, and that somebody else made, that they may do
 * everything: so may those who sign in to it. `what` is what would be done to it.
 * @throws {ApiError} 403
 */
export function assertMayTakeOverClient(
  caller: TokenCaller,
  { redirectUris, _createdBy }: StoredClient,
  what: string
): void {
  if (redirectUris.length > 0 && _createdBy !== caller.id) assertFullAccess(caller, what)
}
