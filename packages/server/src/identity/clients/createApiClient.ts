import type { CreateApiClient } from '@burgee/contract/schemas'
import { omitUndefined } from '@burgee/kit'
import { createdChange } from '../../access/audit/changes.ts'
import type { Edit } from '../../access/audit/edit.ts'
import { hasFullAccess } from '../../access/permissions/assertNoEscalation.ts'
import { findRoot } from '../../access/permissions/findRoot.ts'
import { normalizeNetworks } from '../../access/restrictions/allowedNetworks.ts'
import { normalizeExpiry } from '../../access/restrictions/expiry.ts'
import { badRequest, conflict } from '../../lib/errors.ts'
import { COMMAND_LINE_CLIENT_ID, DASHBOARD_CLIENT_ID, type StoredClient } from '../../storage/resources/organization.ts'
import { ACCOUNT_CLIENT_ID } from './accountClient.ts'
import { assertMayChooseSignInId, assertMayUseClientId, type ConfiguredClientIds } from './assertMayManageClient.ts'
import { assertRedirectUris } from './assertRedirectUris.ts'
import { formatClientId, isGeneratedClientId } from './clientId.ts'
import { ADMINISTRATOR_ID } from './ensureAdministrator.ts'
import type { ClientSecret } from './generateClientSecret.ts'
import { resolveClientRoles } from './resolveClientRoles.ts'

/** Creates a client; one without a secret is public. @throws {HttpError} 400, 403, 404 or 409 */
export async function createApiClient(
  change: Edit,
  { clientId: chosenId, name, redirectUris = [], isAssistant = false, ...body }: CreateApiClient,
  secret: ClientSecret | undefined,
  configured?: ConfiguredClientIds
): Promise<StoredClient> {
  const { store, caller, recordFields, recordChanges } = change
  const clientId = chosenId ?? formatClientId(change.id())
  if ([ADMINISTRATOR_ID, ACCOUNT_CLIENT_ID, DASHBOARD_CLIENT_ID, COMMAND_LINE_CLIENT_ID].includes(clientId)) {
    throw badRequest(`clientId should not be "${clientId}", which is reserved for the client that the server generates`)
  }
  if (chosenId !== undefined && isGeneratedClientId(chosenId)) {
    throw badRequest(`clientId should not have the form of generated ids, got "${chosenId}"`)
  }
  if (chosenId !== undefined && (await store.collection('clients').get({ _id: chosenId }))) {
    throw conflict(`clientId should not be the _id of another client, got "${chosenId}"`)
  }
  assertMayUseClientId(caller, clientId, configured)
  assertRedirectUris(redirectUris)
  assertMayChooseSignInId(caller, { clientId, redirectUris })
  const { expiresAt, allowedNetworks } = body
  // A client that only acts for people has no permissions of its own.
  const roles = await resolveClientRoles(change, body.roles ?? (secret ? undefined : []))
  const client = await store.collection('clients').insert({
    ...recordFields(),
    clientId,
    name,
    ...omitUndefined({ secretVerifier: secret?.secretVerifier, roles, permissions: body.permissions }),
    ...(expiresAt === undefined ? {} : { expiresAt: normalizeExpiry(expiresAt, change.at) }),
    ...(allowedNetworks === undefined ? {} : { allowedNetworks: normalizeNetworks(allowedNetworks) }),
    redirectUris,
    isAssistant,
    isDynamic: false,
    _organization: caller.organization,
    _createdBy: caller.id,
    _root: await findRoot(store, caller.id),
    isSecretPrivileged: hasFullAccess(caller)
  })
  recordChanges({}, [createdChange('ApiClient', client)])
  return client
}
