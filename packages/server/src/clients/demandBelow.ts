import { demandNotAbove } from '../access/demandNoMore.ts'
import { identityOfClient } from '../access/identify.ts'
import type { TokenCaller } from '../caller.ts'
import type { StoredClient } from '../store/resources.ts'

/** Demands that a client may not do more for itself than the caller. `what` is what would be done to it. @throws {ApiError} 403 */
export function demandBelow(caller: TokenCaller, client: StoredClient, what: string): void {
  demandNotAbove(caller, identityOfClient(client).access, client.roles ?? [], what)
}
