import { modifiedChanges } from '../../access/audit/changes.ts'
import { createEditRunner } from '../../access/audit/edit.ts'
import { serverCaller } from '../../access/permissions/serverCaller.ts'
import { OptionError } from '../../lib/errors.ts'
import type { IdGenerator } from '../../lib/idGenerator.ts'
import type { Logger } from '../../lib/logger.ts'
import { isGeneratedClientSecret } from '../../lib/secrets/checksum.ts'
import { newRecordFields } from '../../storage/newRecordFields.ts'
import type { StoredClient } from '../../storage/resources/organization.ts'
import type { Store } from '../../storage/store.ts'
import { ensureOrganization } from '../organizations/ensureOrganization.ts'
import { hashRandomSecret, isFastHash, type SecretHasher } from '../secrets/secretHash.ts'

/** The client id of the administrator client that the server generates for an empty store. It is reserved. */
export const ADMINISTRATOR_ID = 'burgee-admin'

/** The credentials of the administrator client. */
export interface AdministratorCredentials {
  readonly clientId: string
  readonly clientSecret: string
}

interface Dependencies {
  readonly now: () => number
  readonly ids: IdGenerator
  readonly hasher: SecretHasher
  readonly log: Logger
}

/**
 * Ensures that a store has a client with full access. Returns the credentials if they were generated: only a hash of
 * the secret is stored, so they cannot be shown later. Configured credentials replace stored ones, so that an operator
 * who lost the credentials regains access.
 * @throws {OptionError} if the configured id belongs to a client that was created through the API.
 */
export async function ensureAdministrator(
  store: Store,
  dependencies: Dependencies & { readonly given?: AdministratorCredentials | undefined }
): Promise<AdministratorCredentials | undefined> {
  const { given, ids, hasher } = dependencies
  const existing = await store.collection('clients').get({ clientId: given?.clientId ?? ADMINISTRATOR_ID })
  if (existing) {
    if (given) assertOwnClient(existing)
    if (given) await renew(store, existing, given.clientSecret, dependencies)
    return undefined
  }
  const isFirst = (await store.collection('clients').get({})) === undefined
  if (given) {
    if (!isFirst)
      dependencies.log.warn({ clientId: given.clientId }, 'another administrator client is added, as configured')
    await add(store, given.clientId, await hashConfigured(given.clientSecret, hasher), dependencies)
    return undefined
  }
  if (!isFirst) return undefined
  const generated = { clientId: ADMINISTRATOR_ID, clientSecret: ids.secret() }
  await add(store, generated.clientId, hashRandomSecret(generated.clientSecret), dependencies)
  return generated
}

/**
 * Asserts that a client may become the administrator client. The creator of a client from the API could retain control
 * of it, for example through its redirect URIs.
 * @throws {OptionError}
 */
function assertOwnClient({ clientId, _createdBy, isDynamic }: StoredClient): void {
  if (_createdBy === undefined && !isDynamic) return
  throw new OptionError(
    `BURGEE_ADMIN_CLIENT_ID should be an id that no client has, or the id of the former administrator client, got ${clientId}: that client was created through the API`
  )
}

/** Formats generated credentials for the operator. */
export function formatAdministratorCredentials(
  { clientId, clientSecret }: AdministratorCredentials,
  url: string
): string {
  return [
    '',
    'Created an API client with full access to the management API. Save its secret: it is not shown again.',
    '',
    `  client id      ${clientId}`,
    `  client secret  ${clientSecret}`,
    '',
    'To get an access token, valid for 24 hours:',
    '',
    `  curl -s ${url}/oauth/token -d grant_type=client_credentials \\`,
    `    -d client_id=${clientId} -d client_secret=${clientSecret}`,
    ''
  ].join('\n')
}

async function add(
  store: Store,
  clientId: string,
  secretVerifier: string,
  { now, ids }: Pick<Dependencies, 'now' | 'ids'>
): Promise<void> {
  await store.transaction(async (transaction) => {
    const { key } = await ensureOrganization(transaction, { now, ids })
    await transaction.collection('clients').insert({
      ...newRecordFields(now(), ids),
      _organization: key,
      clientId,
      name: 'Administrator',
      secretVerifier,
      redirectUris: [],
      isAssistant: false,
      isDynamic: false
    })
  })
}

/**
 * Hashes a configured secret: slowly, because a person may have chosen it, unless it has the format of generated ones.
 * Those cannot be guessed, so attempts are not limited, and failed attempts cannot lock the client out.
 */
async function hashConfigured(secret: string, hasher: SecretHasher): Promise<string> {
  return isGeneratedClientSecret(secret) ? hashRandomSecret(secret) : hasher.hash(secret)
}

/** Resets a client to the settings: this secret and full access. No request can interfere while the server starts. */
async function renew(
  store: Store,
  before: StoredClient,
  secret: string,
  { now, ids, hasher, log }: Dependencies
): Promise<void> {
  const { _id, _organization, clientId, secretVerifier } = before
  const isSecretRight = secretVerifier !== undefined && (await hasher.verify(secret, secretVerifier))
  const limits = ['roles', 'permissions', 'expiresAt', 'allowedNetworks'] as const
  const isLimited = limits.some((name) => before[name] !== undefined)
  if (!isSecretRight) log.warn({ clientId }, 'the secret of the administrator client is replaced, as configured')
  if (isLimited) log.warn({ clientId }, 'the limits of the administrator client are lifted, as configured')
  const isNeedlesslySlow = isSecretRight && isGeneratedClientSecret(secret) && !isFastHash(secretVerifier)
  const isUpToDate = isSecretRight && !hasher.isOutdated(secretVerifier) && !isNeedlesslySlow
  const current = isUpToDate ? before : { ...before, secretVerifier: await hashConfigured(secret, hasher) }
  if (isSecretRight && !isLimited) {
    // The audit log does not record a new hash of the same secret.
    if (!isUpToDate) await store.collection('clients').update(_id, { secretVerifier: current.secretVerifier })
    return
  }
  await createEditRunner({ store, ids, now })(serverCaller(_organization), async ({ store, at, recordChanges }) => {
    // The store removes members that are undefined.
    const after = {
      ...current,
      ...(isSecretRight ? {} : { secretChangedAt: at }),
      ...(isLimited ? Object.fromEntries(limits.map((name) => [name, undefined])) : {}),
      updatedAt: at
    }
    await store.collection('clients').update(_id, after)
    const secretNote = isSecretRight ? {} : { secret: 'replaced' }
    recordChanges(
      {},
      modifiedChanges('ApiClient', before, after).map((change) => ({
        ...change,
        metadata: { ...change.metadata, ...secretNote }
      }))
    )
  })
}
