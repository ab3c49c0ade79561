import type { Permission } from '@burgee/contract'
import { makeVerifier } from '../src/auth/verifier.ts'
import { openStore } from '../src/store/openStore.ts'
import { type Served, send, serve, storeWith } from './harness.ts'
import { idOf, NOW, type Plan } from './plan.ts'

/** A server and a token that allows nothing but this. */
export interface Limited {
  readonly server: Served
  readonly key: string
}

/** Starts a server on a store with this plan and, besides the administrator, a client with these permissions. */
export async function serveLimited(
  plan: Plan,
  permissions: readonly Permission[],
  organization = 'org_test'
): Promise<Limited> {
  const directory = await storeWith(plan)
  await addClients(directory, { limited: permissions }, organization)
  const server = await serve(directory)
  return { server, key: await tokenFor(server, 'limited') }
}

/** Writes clients into the closed store in a directory: from the id of each to what it may do. */
export async function addClients(
  directory: string,
  clients: Readonly<Record<string, readonly Permission[]>>,
  organization = 'org_test'
): Promise<void> {
  const store = await openStore(`file:${directory}`)
  const at = new Date(NOW).toISOString()
  const secretVerifier = await makeVerifier(SECRET)
  for (const [clientId, permissions] of Object.entries(clients)) {
    await store.collection('clients').insert({
      _id: idOf(clientId),
      createdAt: at,
      updatedAt: at,
      clientId,
      name: `${clientId.charAt(0).toUpperCase()}${clientId.slice(1)}`,
      secretVerifier,
      permissions,
      _organization: organization
    })
  }
  await store.close()
}

/** A new access token of such a client. */
export async function tokenFor(server: Served, clientId: string): Promise<string> {
  const credentials = { grant_type: 'client_credentials', client_id: clientId, client_secret: SECRET }
  const { body } = await send(server, {
    method: 'POST',
    path: '/oauth/token',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(credentials)
  })
  return body.access_token
}

const SECRET = 'a secret of little worth'
