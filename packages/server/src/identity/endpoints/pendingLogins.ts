import { HttpError } from '../../lib/errors.ts'
import { selectEvicted } from '../../lib/limits/selectEvicted.ts'
import type { StoredAuthorization } from '../../storage/resources/organization.ts'
import type { Store } from '../../storage/store.ts'

/** The maximum length of an authorization request, in characters. */
const MAX_LENGTH = 4096

/** The maximum number of pending logins, and of device codes; the stored state of each is several times its query. */
const MAX_PENDING = 2_000

/**
 * Returns the known parameters of an authorization request, since unknown ones would only be stored.
 * @throws {HttpError} 414 for a query that is too long, 413 for a form.
 */
export function parseAuthorizationRequest(parameters: string, source: 'query' | 'form'): URLSearchParams {
  if (parameters.length > MAX_LENGTH) {
    const message = `the ${source} should have at most ${MAX_LENGTH} characters, got ${parameters.length}`
    throw new HttpError(source === 'query' ? 414 : 413, message)
  }
  return new URLSearchParams([...new URLSearchParams(parameters)].filter(([name]) => KNOWN_PARAMETERS.has(name)))
}

const KNOWN_PARAMETERS = new Set([
  'acr_values',
  'audience',
  'claims',
  'claims_locales',
  'client_id',
  'code_challenge',
  'code_challenge_method',
  'display',
  'id_token_hint',
  'login_hint',
  'max_age',
  'nonce',
  'prompt',
  'redirect_uri',
  'registration',
  'request',
  'request_uri',
  'resource',
  'response_mode',
  'response_type',
  'scope',
  'state',
  'ui_locales'
])

/**
 * Limits the number of pending logins or device codes, since anyone can start one and each is stored. Removes expired
 * ones first, then the oldest of the network with the most, so that no network can end the logins of others. A person
 * who is signed in and whose consent is missing counts separately from the network.
 */
export async function evictPending(store: Store, model: 'Interaction' | 'DeviceCode', now: number): Promise<void> {
  const { items } = await store.collection('authorizations').list({ where: { model }, sortBy: 'createdAt' })
  if (items.length < MAX_PENDING) return
  const expired = items.filter(({ expiresAt }) => expiresAt !== undefined && expiresAt <= now)
  const live = items.filter((item) => !expired.includes(item))
  const evicted = selectEvicted(live, MAX_PENDING - 1, ownerOf)
  await store.transaction(async (transaction) => {
    for (const { _id } of [...expired, ...evicted]) {
      const authorizations = transaction.collection('authorizations')
      if (await authorizations.get({ _id })) await authorizations.remove(_id)
    }
  })
}

/** The person who is signed in, else the network. */
function ownerOf({ network = '', payload: { session } }: StoredAuthorization): string {
  const isSignedIn = typeof session === 'object' && session !== null && 'accountId' in session
  return isSignedIn && typeof session.accountId === 'string' ? `person ${session.accountId}` : `network ${network}`
}
