import { show } from '@burgee/contract'
import { created } from '../audit/changes.ts'
import type { Edit } from '../audit/edit.ts'
import { demandRedirectUris } from '../clients/redirectUris.ts'
import { ApiError } from '../errors.ts'
import type { StoredClient } from '../store/resources.ts'

/** How many clients may have come by themselves at a time. */
const MOST = 1_000

/**
 * Adds a client that nobody has vouched for: a public one, for a program that acts for people who sign in. It counts as an
 * assistant, for nobody has said what it is.
 * @throws {ApiError} 503 when there are too many.
 */
export async function addDynamicClient(
  { store, stamps, note, caller }: Edit,
  told: Pick<StoredClient, 'clientId' | 'name' | 'redirectUris'>
): Promise<StoredClient> {
  const { count } = await store.collection('clients').list({ where: { isDynamic: true }, perPage: 1 })
  if (count >= MOST) throw new ApiError(503, 'unavailable', `${MOST} clients have registered themselves already`)
  const client: StoredClient = {
    ...stamps(),
    ...told,
    roles: [],
    isAssistant: true,
    isDynamic: true,
    _organization: caller.organization
  }
  note({}, [created('ApiClient', client)])
  return store.collection('clients').insert(client)
}

/**
 * Demands addresses that such a client may have people sent back to: none with a scheme of its own, since any program on a
 * device can have that.
 * @throws {ApiError} 400
 */
export function demandWebUris(uris: readonly string[]): void {
  try {
    demandRedirectUris(uris)
  } catch (error) {
    throw error instanceof ApiError ? refused('invalid_redirect_uri', error.message) : error
  }
  const other = uris.find((uri) => !/^https?:/.test(uri))
  if (other === undefined) return
  throw refused('invalid_redirect_uri', `redirect_uris should be https, or http on this computer, got ${show(other)}`)
}

/** What a client says of itself will not do, as OAuth has it. */
export function refused(errorType: string, message: string): ApiError {
  return new ApiError(400, 'invalid_request', message, { errorType })
}
