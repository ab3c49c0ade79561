import type { CreateApiClient } from '@burgee/contract'
import { created } from '../audit/changes.ts'
import type { Edit } from '../audit/edit.ts'
import { invalid } from '../errors.ts'
import { given } from '../given.ts'
import type { StoredClient } from '../store/resources.ts'
import { ADMINISTRATOR_ID } from './administratorId.ts'
import type { ClientSecret } from './makeSecret.ts'
import { readRoles } from './readRoles.ts'
import { demandRedirectUris } from './redirectUris.ts'

/** Adds a client; one without a secret is public. @throws {ApiError} 400, 403 or 404 */
export async function addClient(
  change: Edit,
  { clientId = `client_${change.id()}`, name, redirectUris = [], isAssistant = false, ...body }: CreateApiClient,
  secret: ClientSecret | undefined
): Promise<StoredClient> {
  const { store, caller, stamps, note } = change
  if (clientId === ADMINISTRATOR_ID) {
    throw invalid(
      `clientId should be another than "${clientId}", which is reserved for the client that the server makes up`
    )
  }
  demandRedirectUris(redirectUris)
  // One that can only act for people has nothing to do for itself.
  const roles = await readRoles(change, body.roles ?? (secret ? undefined : []))
  const client = await store.collection('clients').insert({
    ...stamps(),
    clientId,
    name,
    ...given({ secretVerifier: secret?.secretVerifier, roles, permissions: body.permissions }),
    redirectUris,
    isAssistant,
    isDynamic: false,
    _organization: caller.organization,
    _createdBy: caller.id
  })
  note({}, [created('ApiClient', client)])
  return client
}
