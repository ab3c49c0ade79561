import { assertNoEscalation } from '../../access/permissions/assertNoEscalation.ts'
import type { TokenCaller } from '../../access/permissions/caller.ts'
import { toClientIdentity } from '../../access/permissions/findIdentity.ts'
import type { StoredClient } from '../../storage/resources.ts'

/** Demands that a client may not do more for itself than the caller. `what` is what would be done to it. @throws {ApiError} 403 */
export function assertMayManageClient(caller: TokenCaller, client: StoredClient, what: string): void {
  assertNoEscalation(caller, toClientIdentity(client).access, client.roles ?? [], what)
}
