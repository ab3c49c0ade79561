import { demandEverything } from '../access/demandNoMore.ts'
import type { TokenCaller } from '../caller.ts'
import type { StoredClient } from '../store/resources.ts'

/**
 * Demands of those who would get hold of a client that people sign in to, and that somebody else made, that they may do
 * everything: so may those who sign in to it. `what` is what would be done to it.
 * @throws {ApiError} 403
 */
export function demandTrusted(caller: TokenCaller, { redirectUris, _createdBy }: StoredClient, what: string): void {
  if (redirectUris.length > 0 && _createdBy !== caller.id) demandEverything(caller, what)
}
