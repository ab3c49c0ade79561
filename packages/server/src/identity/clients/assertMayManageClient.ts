import { assertFullAccess, assertNoEscalation, hasFullAccess } from '../../access/permissions/assertNoEscalation.ts'
import type { TokenCaller } from '../../access/permissions/caller.ts'
import { findIdentity, toClientIdentity } from '../../access/permissions/findIdentity.ts'
import { forbidden } from '../../lib/errors.ts'
import { DASHBOARD_CLIENT_ID, type StoredClient } from '../../storage/resources/organization.ts'
import type { Store } from '../../storage/store.ts'
import { ACCOUNT_CLIENT_ID } from './accountClient.ts'
import { isGeneratedClientId } from './clientId.ts'

/**
 * Asserts that a client has no permission that the caller lacks, and that the server does not manage it for a page of
 * its own. `what` names the action in the message.
 * @throws {HttpError} 403
 */
export function assertMayManageClient(caller: TokenCaller, client: StoredClient, what: string): void {
  const page = MANAGED[client.clientId]
  if (page !== undefined) {
    throw forbidden(`${what} is not possible: the server manages "${client.clientId}" for ${page}`)
  }
  assertNoEscalation(caller, toClientIdentity(client).access, client.roles ?? [], what)
}

/** The pages of this server with a client of their own, by its id. */
const MANAGED: Readonly<Record<string, string>> = {
  [ACCOUNT_CLIENT_ID]: 'the account page',
  [DASHBOARD_CLIENT_ID]: 'the dashboard'
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

/**
 * Whether only callers with full access have seen the secret of a client. Only such a client can get rights from the
 * settings, because another caller may have created it before the settings contained its id. For clients of earlier
 * versions, the current permissions of their creator and of the person responsible for their secret decide. Clients
 * that the server created are accepted.
 */
export async function hasPrivilegedSecret(store: Store, client: StoredClient): Promise<boolean> {
  const { isSecretPrivileged, isDynamic, _createdBy, _root } = client
  if (isDynamic) return false
  if (isSecretPrivileged !== undefined) return isSecretPrivileged
  for (const subject of [_createdBy, _root]) {
    if (subject === undefined) continue
    const identity = await findIdentity(store, subject)
    if (!identity || !hasFullAccess(identity)) return false
  }
  return true
}

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

/**
 * Asserts that the caller has full access to choose the id of a client that people sign in to. The id can be that of an
 * application that was deleted, which still sends people to sign in with it.
 * @throws {HttpError} 403
 */
export function assertMayChooseSignInId(
  caller: TokenCaller,
  { clientId, redirectUris }: Pick<StoredClient, 'clientId' | 'redirectUris'>
): void {
  if (redirectUris.length === 0 || isGeneratedClientId(clientId)) return
  assertFullAccess(caller, 'choosing the clientId of a client that people sign in to')
}
