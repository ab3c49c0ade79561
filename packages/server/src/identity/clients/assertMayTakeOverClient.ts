import { assertFullAccess } from '../../access/permissions/assertNoEscalation.ts'
import type { TokenCaller } from '../../access/permissions/caller.ts'
import type { StoredClient } from '../../storage/resources/organization.ts'

/**
 * Asserts that the caller has full access before a takeover of another person's client with sign-in. Control of such a
 * client means acting for the people who sign in to it, and they may have full access. `what` names the action in the
 * message.
 * @throws {HttpError} 403
 */
export function assertMayTakeOverClient(
  caller: TokenCaller,
  { redirectUris, _createdBy }: StoredClient,
  what: string
): void {
  if (redirectUris.length > 0 && _createdBy !== caller.id) assertFullAccess(caller, what)
}
