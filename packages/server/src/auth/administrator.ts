import type { Ids } from '../id.ts'
import { inUtc } from '../inUtc.ts'
import type { Logger } from '../log.ts'
import { makeVerifier, verifies } from '../secrets/verifier.ts'
import { stampsAt } from '../stamps.ts'
import type { StoredClient } from '../store/resources.ts'
import type { Members, Store } from '../store/store.ts'
import { setUpOrganization } from './organization.ts'

/** What an administrator asks for tokens with. */
export interface AdministratorCredentials {
  readonly clientId: string
  readonly clientSecret: string
}

interface World {
  readonly now: () => number
  readonly ids: Ids
  readonly log: Logger
}

/**
 * Sees to it that a store has a client that may do everything. Answers the credentials of one that was made up: only a
 * verifier of the secret is kept, so they can be told this once. Given credentials are valid afterwards whatever was
 * stored, so that an operator who lost theirs gets in again.
 */
export async function setUpAdministrator(
  store: Store,
  world: World & { readonly given?: AdministratorCredentials | undefined }
): Promise<AdministratorCredentials | undefined> {
  const { given, ids } = world
  const existing = await store.collection('clients').get({ clientId: given?.clientId ?? GENERATED_ID })
  if (existing) {
    await renew(store, existing, given?.clientSecret, world)
    return undefined
  }
  const isFirst = (await store.collection('clients').get({})) === undefined
  if (given) {
    if (!isFirst) world.log.warn({ clientId: given.clientId }, 'another administrator client is added, as configured')
    await add(store, given, world)
    return undefined
  }
  if (!isFirst) return undefined
  const generated = { clientId: GENERATED_ID, clientSecret: ids.secret() }
  await add(store, generated, world)
  return generated
}

/** What tells the operator credentials that were made up. */
export function announce({ clientId, clientSecret }: AdministratorCredentials, url: string): string {
  return [
    '',
    'The management API has its first client. Keep its secret: it is not shown again.',
    '',
    `  client id      ${clientId}`,
    `  client secret  ${clientSecret}`,
    '',
    'An access token for it, good for 24 hours:',
    '',
    `  curl -s ${url}/oauth/token -d grant_type=client_credentials \\`,
    `    -d client_id=${clientId} -d client_secret=${clientSecret}`,
    ''
  ].join('\n')
}

const GENERATED_ID = 'burgee-admin'

async function add(
  store: Store,
  { clientId, clientSecret }: AdministratorCredentials,
  { now, ids }: World
): Promise<void> {
  const secretVerifier = await makeVerifier(clientSecret)
  await store.transaction(async (transaction) => {
    const { key } = await setUpOrganization(transaction, { now, ids })
    await transaction.collection('clients').insert({
      ...stampsAt(now(), ids),
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

async function renew(store: Store, client: StoredClient, secret: string | undefined, world: World): Promise<void> {
  const { clientId, secretVerifier } = client
  const isSecretRight =
    secret === undefined || (secretVerifier !== undefined && (await verifies(secret, secretVerifier)))
  if (!isSecretRight) world.log.warn({ clientId }, 'the secret of the administrator client is replaced, as configured')
  const members: Members<StoredClient> = {
    ...(isSecretRight ? {} : { secretVerifier: await makeVerifier(secret), secretChangedAt: inUtc(world.now()) }),
    // Whoever starts the server may do everything, whatever was made of their client since.
    ...(client.roles ? { roles: undefined } : {}),
    ...(client.permissions ? { permissions: undefined } : {})
  }
  if (Object.keys(members).length === 0) return
  const updatedAt = inUtc(world.now())
  await store.collection('clients').update(client._id, { ...members, updatedAt })
}
