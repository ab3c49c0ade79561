import { assertFullAccess, assertNoEscalation } from '../../access/permissions/assertNoEscalation.ts'
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

/** The ids of clients that the server settings contain, and to which the settings give rights. */
export type ConfiguredClientIds = ReadonlySet<string>

/**
 * Asserts that a caller may manage a client with this id. Ids in the server settings require full access: the settings
 * give such a client rights, for example to exchange the tokens of people.
 * @throws {HttpError} 403
 */
export function assertMayUseClientId(
  caller: TokenCaller,
  clientId: string,
  configured: ConfiguredClientIds | undefined
): void {
  if (configured?.has(clientId)) assertFullAccess(caller, 'managing a client whose id is in the server settings')
}
