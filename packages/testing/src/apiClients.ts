import type { Permission } from '@burgee/contract'
import { hashRandomSecret } from '../../server/src/identity/secrets/secretHash.ts'
import { openStore } from '../../server/src/storage/open/openStore.ts'
import type { Store } from '../../server/src/storage/store.ts'
import { send, serve, storeWith, type TestServer, toStoreUrl } from './harness.ts'
import { idOf, NOW, type Plan } from './plan.ts'

/** A server, and a token with limited permissions. */
export interface LimitedClient {
  readonly server: TestServer
  readonly key: string
}

/** Starts a server on a store with this plan and, besides the administrator, a client with these permissions. */
export async function serveLimited(
  plan: Plan,
  permissions: readonly Permission[],
  organization = 'org_test'
): Promise<LimitedClient> {
  const directory = await storeWith(plan)
  await addClients(directory, { limited: permissions }, organization)
  const server = await serve(directory)
  return { server, key: await tokenFor(server, 'limited') }
}

/** Writes clients into the closed store in a directory: client id → permissions. */
export async function addClients(
  directory: string,
  clients: Readonly<Record<string, readonly Permission[]>>,
  organization = 'org_test'
): Promise<void> {
  const store = await openStore(toStoreUrl(directory))
  const at = new Date(NOW).toISOString()
  const secretVerifier = hashRandomSecret(CLIENT_SECRET)
  await store.transaction(async (transaction) => {
    // The administrator joins the oldest organization.
    await addOrganization(transaction, 'org_test', NOW)
    await addOrganization(transaction, organization, NOW + 1)
    for (const [clientId, permissions] of Object.entries(clients)) {
      await transaction.collection('clients').insert({
        _id: idOf(clientId),
        createdAt: at,
        updatedAt: at,
        clientId,
        name: `${clientId.charAt(0).toUpperCase()}${clientId.slice(1)}`,
        secretVerifier,
        permissions,
        redirectUris: [],
        isAssistant: false,
        isDynamic: false,
        _organization: organization
      })
    }
  })
  await store.close()
}

/** Requests an access token for a client that tests wrote into a store. */
export async function tokenFor(server: TestServer, clientId: string): Promise<string> {
  const credentials = { grant_type: 'client_credentials', client_id: clientId, client_secret: CLIENT_SECRET }
  const { body } = await send(server, {
    method: 'POST',
    path: '/oauth/token',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(credentials)
  })
  return body.access_token
}

/** The secret of all clients that tests write into a store. */
export const CLIENT_SECRET = 'a secret of little worth'

async function addOrganization(store: Store, key: string, moment: number): Promise<void> {
  const organizations = store.collection('organizations')
  if (await organizations.get({ key })) return
  const at = new Date(moment).toISOString()
  const settings = { permissions: { mode: 'flat', controlledBy: 'burgee', groups: [] } } as const
  const fields = { _id: idOf(key), createdAt: at, updatedAt: at }
  await organizations.insert({ ...fields, key, name: 'burgee', displayName: 'Burgee', settings })
}
