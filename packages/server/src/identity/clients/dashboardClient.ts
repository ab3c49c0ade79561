import { isDeepStrictEqual } from 'node:util'
import { createdChange, modifiedChanges } from '../../access/audit/changes.ts'
import type { EditRunner } from '../../access/audit/edit.ts'
import { serverCaller } from '../../access/permissions/serverCaller.ts'
import { DASHBOARD_CLIENT_ID, type StoredClient } from '../../storage/resources/organization.ts'
import type { Store } from '../../storage/store.ts'

/** Creates the client of the dashboard, or restores what differs. It acts for people only. */
export async function ensureDashboardClient(
  { store, edit, organization }: { readonly store: Store; readonly edit: EditRunner; readonly organization: string },
  redirectUri: string
): Promise<void> {
  const known = await store.collection('clients').get({ clientId: DASHBOARD_CLIENT_ID })
  if (known && isDeepStrictEqual(restore(known, redirectUri), known)) return
  await edit(serverCaller(organization), async ({ store, at, recordFields, recordChanges }) => {
    const clients = store.collection('clients')
    const before = await clients.get({ clientId: DASHBOARD_CLIENT_ID })
    if (before) {
      // An earlier version let administrators create a client with this id: its tokens and its secret end here.
      const isForeign = before.secretVerifier !== MEMBERS.secretVerifier
      const after = {
        ...restore(before, redirectUri),
        updatedAt: at,
        ...(isForeign ? { secretChangedAt: at, signedOutAt: at } : {})
      }
      await clients.update(before._id, { ...after, ...REMOVED })
      recordChanges({}, modifiedChanges('ApiClient', before, after))
      return
    }
    const client = { ...recordFields(), ...MEMBERS, redirectUris: [redirectUri], _organization: organization }
    await clients.insert(client)
    recordChanges({}, [createdChange('ApiClient', client)])
  })
}

/** Returns the client as the server creates it. */
function restore(client: StoredClient, redirectUri: string): StoredClient {
  const rest = Object.fromEntries(Object.entries(client).filter(([name]) => !(name in REMOVED)))
  // The removed members are optional.
  return { ...(rest as unknown as StoredClient), ...MEMBERS, redirectUris: [redirectUri] }
}

const MEMBERS = {
  clientId: DASHBOARD_CLIENT_ID,
  name: 'Burgee dashboard',
  roles: [],
  isAssistant: false,
  isDynamic: false,
  /** No known secret has this hash: only this process redeems the codes of the client, without a secret. */
  secretVerifier: `sha256$${'A'.repeat(43)}`
}

/** The store removes members that are undefined. */
const REMOVED = {
  permissions: undefined,
  expiresAt: undefined,
  allowedNetworks: undefined,
  _createdBy: undefined,
  _root: undefined,
  isSecretPrivileged: undefined
}
