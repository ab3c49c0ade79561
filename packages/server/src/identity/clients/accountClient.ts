import { isDeepStrictEqual } from 'node:util'
import { createdChange, modifiedChanges } from '../../access/audit/changes.ts'
import type { EditRunner } from '../../access/audit/edit.ts'
import { serverCaller } from '../../access/permissions/serverCaller.ts'
import type { StoredClient } from '../../storage/resources/organization.ts'
import type { Store } from '../../storage/store.ts'

/** The id of the OAuth client of the account page. */
export const ACCOUNT_CLIENT_ID = 'burgee-account'

/**
 * Creates the client of the account page, or restores what differs: its redirect URI, and changes that earlier versions
 * permitted, such as an expiry. It has no permissions.
 */
export async function ensureAccountClient(
  { store, edit, organization }: { readonly store: Store; readonly edit: EditRunner; readonly organization: string },
  redirectUri: string
): Promise<void> {
  const known = await store.collection('clients').get({ clientId: ACCOUNT_CLIENT_ID })
  if (known && isDeepStrictEqual(restore(known, redirectUri), known)) return
  await edit(serverCaller(organization), async ({ store, at, recordFields, recordChanges }) => {
    const clients = store.collection('clients')
    const before = await clients.get({ clientId: ACCOUNT_CLIENT_ID })
    if (before) {
      const after = { ...restore(before, redirectUri), updatedAt: at }
      await clients.update(before._id, { ...after, ...NO_RESTRICTIONS })
      recordChanges({}, modifiedChanges('ApiClient', before, after))
      return
    }
    const client = { ...recordFields(), ...MEMBERS, redirectUris: [redirectUri], _organization: organization }
    await clients.insert(client)
    recordChanges({}, [createdChange('ApiClient', client)])
  })
}

/** Restores the client at the start if it exists; the first use of the account page creates it. */
export async function restoreAccountClient(
  dependencies: Parameters<typeof ensureAccountClient>[0],
  redirectUri: string
): Promise<void> {
  const known = await dependencies.store.collection('clients').get({ clientId: ACCOUNT_CLIENT_ID })
  if (known) await ensureAccountClient(dependencies, redirectUri)
}

/** Returns the client as the server creates it. */
function restore(client: StoredClient, redirectUri: string): StoredClient {
  const { expiresAt: _, allowedNetworks: _networks, secretVerifier: _secret, ...rest } = client
  return { ...rest, ...MEMBERS, redirectUris: [redirectUri] }
}

const MEMBERS = {
  clientId: ACCOUNT_CLIENT_ID,
  name: 'Your account',
  roles: [],
  permissions: [],
  isAssistant: false,
  isDynamic: false
}

/** The store removes members that are undefined. */
const NO_RESTRICTIONS = { expiresAt: undefined, allowedNetworks: undefined, secretVerifier: undefined }
