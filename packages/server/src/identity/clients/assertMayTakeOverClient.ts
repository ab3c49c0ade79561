import { assertFullAccess } from '../../access/permissions/assertNoEscalation.ts'
import type { TokenCaller } from '../../access/permissions/caller.ts'
import type { StoredClient } from '../../storage/resources.ts'

/**
 * Asserts full access for taking over another person's client with sign-in: whoever controls such a client can act for the people
 * who sign in to it, who may have full access. `what` names the action in the message.
 * @throws {ApiError} 403
 */
export function assertMayTakeOverClient(
  caller: TokenCaller,
  { redirectUris, _createdBy }: StoredClient,
  what: string
): void {
  if (redirectUris.length > 0 && _createdBy !== caller.id) assertFullAccess(caller, what)
}
