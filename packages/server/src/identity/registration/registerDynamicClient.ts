import { formatValue } from '@burgee/kit/text'
import { createdChange } from '../../access/audit/changes.ts'
import type { Edit } from '../../access/audit/edit.ts'
import { ApiError } from '../../lib/errors.ts'
import type { StoredClient } from '../../storage/resources.ts'
import { assertRedirectUris } from '../clients/assertRedirectUris.ts'

/** How many clients may have come by themselves at a time. */
const MOST = 1_000

/**
 * Adds a client that nobody has vouched for: a public one, for a program that acts for people who sign in. It counts as an
 * assistant, for nobody has said what it is.
 * @throws {ApiError} 503 when there are too many.
 */
export async function registerDynamicClient(
  { store, recordFields, recordChanges, caller }: Edit,
  fields: Pick<StoredClient, 'clientId' | 'name' | 'redirectUris'>
): Promise<StoredClient> {
  const { count } = await store.collection('clients').list({ where: { isDynamic: true }, perPage: 1 })
  if (count >= MOST) throw new ApiError(503, 'unavailable', `${MOST} clients have registered themselves already`)
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
 * Demands addresses that such a client may have people sent back to: none with a scheme of its own, since any program on a
 * device can have that.
 * @throws {ApiError} 400
 */
export function assertWebRedirectUris(uris: readonly string[]): void {
  try {
    assertRedirectUris(uris)
  } catch (error) {
    throw error instanceof ApiError ? registrationError('invalid_redirect_uri', error.message) : error
  }
  const other = uris.find((uri) => !/^https?:/.test(uri))
  if (other === undefined) return
  throw registrationError(
    'invalid_redirect_uri',
    `redirect_uris should be https, or http on this computer, got ${formatValue(other)}`
  )
}

/** What a client says of itself will not do, as OAuth has it. */
export function registrationError(oauthError: string, message: string): ApiError {
  return new ApiError(400, 'invalid_request', message, { oauthError })
}
