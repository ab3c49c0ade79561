import { formatValue } from '@burgee/kit/text'
import { createdChange, deletedChange } from '../../access/audit/changes.ts'
import type { Edit } from '../../access/audit/edit.ts'
import { HttpError } from '../../lib/errors.ts'
import { selectEvicted } from '../../lib/limits/selectEvicted.ts'
import type { StoredClient } from '../../storage/resources/organization.ts'
import { assertRedirectUris } from '../clients/assertRedirectUris.ts'
import { OAuthHttpError } from '../oauth/oauthError.ts'
import { listUnusedClients } from './listUnusedClients.ts'

/** The maximum number of dynamically registered clients. */
const MAX_CLIENTS = 1_000

/**
 * Registers an unverified client: a public one that acts for people who sign in. It counts as an assistant, because no
 * administrator has declared otherwise. When there are too many, it replaces a client without consents.
 * @throws {OAuthHttpError} 403 when there are too many with consents.
 */
export async function registerDynamicClient(
  change: Edit,
  fields: Pick<StoredClient, 'clientId' | 'name' | 'redirectUris' | 'hasDeviceGrant' | 'network'>
): Promise<StoredClient> {
  await makeRoom(change)
  const { store, recordFields, recordChanges, caller } = change
  const client: StoredClient = {
    ...recordFields(),
    ...fields,
    roles: [],
    isAssistant: true,
    isDynamic: true,
    _organization: caller.organization
  }
  recordChanges({}, [createdChange('ApiClient', client)])
  return store.collection('clients').insert(client)
}

/**
 * Removes the oldest client without consents of the network that registered the most of them, so that no network can
 * prevent the registrations of others.
 */
async function makeRoom({ store, recordChanges }: Edit): Promise<void> {
  const { count } = await store.collection('clients').list({ where: { isDynamic: true }, perPage: 1 })
  if (count < MAX_CLIENTS) return
  const unused = await listUnusedClients(store)
  const evicted = selectEvicted(unused, unused.length - (count - MAX_CLIENTS + 1), ({ network = '' }) => network)
  if (count - evicted.length >= MAX_CLIENTS)
    throw new OAuthHttpError(
      403,
      'access_denied',
      `the limit of ${MAX_CLIENTS} registered clients is reached: an administrator can delete some`
    )
  for (const client of evicted) {
    await store.collection('clients').remove(client._id)
    recordChanges({}, [deletedChange('ApiClient', client)])
  }
}

/**
 * Asserts that redirect URIs are safe for unverified clients: no custom schemes, since any program on a device can
 * claim one.
 * @throws {HttpError} 400
 */
export function assertWebRedirectUris(uris: readonly string[]): void {
  try {
    assertRedirectUris(uris)
  } catch (error) {
    throw error instanceof HttpError ? registrationError('invalid_redirect_uri', error.message) : error
  }
  const other = uris.find((uri) => !/^https?:/.test(uri))
  if (other === undefined) return
  throw registrationError(
    'invalid_redirect_uri',
    `redirect_uris should be https, or http on this computer, got ${formatValue(other)}`
  )
}

/** Creates a registration error with its OAuth error code. */
export function registrationError(error: string, message: string): OAuthHttpError {
  return new OAuthHttpError(400, error, message)
}
