import { serverCaller } from '../access/serverCaller.ts'
import { modified } from '../audit/changes.ts'
import { editsOf } from '../audit/edit.ts'
import { ADMINISTRATOR_ID } from '../clients/administratorId.ts'
import type { Ids } from '../id.ts'
import type { Logger } from '../log.ts'
import { makeQuickVerifier, makeVerifier, verifies } from '../secrets/verifier.ts'
import { stampsAt } from '../stamps.ts'
import type { StoredClient } from '../store/resources.ts'
import type { Store } from '../store/store.ts'
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
  const existing = await store.collection('clients').get({ clientId: given?.clientId ?? ADMINISTRATOR_ID })
  if (existing) {
    if (given) await renew(store, existing, given.clientSecret, world)
    return undefined
  }
  const isFirst = (await store.collection('clients').get({})) === undefined
  if (given) {
    if (!isFirst) world.log.warn({ clientId: given.clientId }, 'another administrator client is added, as configured')
    await add(store, given.clientId, await makeVerifier(given.clientSecret), world)
    return undefined
  }
  if (!isFirst) return undefined
  const generated = { clientId: ADMINISTRATOR_ID, clientSecret: ids.secret() }
  await add(store, generated.clientId, makeQuickVerifier(generated.clientSecret), world)
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

async function add(store: Store, clientId: string, secretVerifier: string, { now, ids }: World): Promise<void> {
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

/** Makes a client what the settings say: with this secret, and free to do everything, whatever was made of it since. Nobody else changes it while a server starts. */
async function renew(store: Store, before: StoredClient, secret: string, { now, ids, log }: World): Promise<void> {
  const { _id, _organization, clientId, secretVerifier } = before
  const isSecretRight = secretVerifier !== undefined && (await verifies(secret, secretVerifier))
  const isLimited = before.roles !== undefined || before.permissions !== undefined
  if (!isSecretRight) log.warn({ clientId }, 'the secret of the administrator client is replaced, as configured')
  if (isLimited) log.warn({ clientId }, 'the limits of the administrator client are lifted, as configured')
  if (isSecretRight && !isLimited) return
  const replaced = isSecretRight ? undefined : await makeVerifier(secret)
  await editsOf({ store, ids, now })(serverCaller(_organization), async ({ store, at, note }) => {
    // A member that is undefined is taken away.
    const after = {
      ...before,
      ...(replaced === undefined ? {} : { secretVerifier: replaced, secretChangedAt: at }),
      ...(isLimited ? { roles: undefined, permissions: undefined } : {}),
      updatedAt: at
    }
    await store.collection('clients').update(_id, after)
    const told = replaced === undefined ? {} : { secret: 'replaced' }
    note(
      {},
      modified('ApiClient', before, after).map((change) => ({ ...change, metadata: { ...change.metadata, ...told } }))
    )
  })
}
