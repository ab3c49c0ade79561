import { createdChange, modifiedChanges } from '../../access/audit/changes.ts'
import type { EditRunner } from '../../access/audit/edit.ts'
import { serverCaller } from '../../access/permissions/serverCaller.ts'
import type { Store } from '../../storage/store.ts'

/** The id of the OAuth client of the account page. */
export const ACCOUNT_CLIENT_ID = 'burgee-account'

/** Creates the client of the account page, or updates its redirect URI. It has no permissions. */
export async function ensureAccountClient(
  { store, edit, organization }: { readonly store: Store; readonly edit: EditRunner; readonly organization: string },
  redirectUri: string
): Promise<void> {
  const known = await store.collection('clients').get({ clientId: ACCOUNT_CLIENT_ID })
  if (known?.redirectUris.length === 1 && known.redirectUris[0] === redirectUri) return
  await edit(serverCaller(organization), async ({ store, at, recordFields, recordChanges }) => {
    const clients = store.collection('clients')
    const before = await clients.get({ clientId: ACCOUNT_CLIENT_ID })
    if (before) {
      const after = { ...before, redirectUris: [redirectUri], updatedAt: at }
      await clients.update(before._id, after)
      recordChanges({}, modifiedChanges('ApiClient', before, after))
      return
    }
    const client = {
      ...recordFields(),
      clientId: ACCOUNT_CLIENT_ID,
      name: 'Your account',
      roles: [],
      permissions: [],
      redirectUris: [redirectUri],
      isAssistant: false,
      isDynamic: false,
      _organization: organization
    }
    await clients.insert(client)
    recordChanges({}, [createdChange('ApiClient', client)])
  })
}
