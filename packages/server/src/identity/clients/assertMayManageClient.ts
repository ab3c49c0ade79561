import { assertNoEscalation } from '../../access/permissions/assertNoEscalation.ts'
import type { TokenCaller } from '../../access/permissions/caller.ts'
import { toClientIdentity } from '../../access/permissions/findIdentity.ts'
import type { StoredClient } from '../../storage/resources/organization.ts'

/**
 * Asserts that a client has no permission that the caller lacks. `what` names the action in the message.
 * @throws {HttpError} 403
 */
export function assertMayManageClient(caller: TokenCaller, client: StoredClient, what: string): void {
  assertNoEscalation(caller, toClientIdentity(client).access, client.roles ?? [], what)
}
