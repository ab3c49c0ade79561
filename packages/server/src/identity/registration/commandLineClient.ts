import { createdChange } from '../../access/audit/changes.ts'
import type { EditRunner } from '../../access/audit/edit.ts'
import { serverCaller } from '../../access/permissions/serverCaller.ts'
import { COMMAND_LINE_CLIENT_ID } from '../../storage/resources/organization.ts'
import type { Store } from '../../storage/store.ts'

/** Creates the client of the command line if it does not exist. Administrators can limit it. */
export async function ensureCommandLineClient({
  store,
  edit
}: {
  readonly store: Store
  readonly edit: EditRunner
}): Promise<void> {
  if (await store.collection('clients').get({ clientId: COMMAND_LINE_CLIENT_ID })) return
  const organization = await store.collection('organizations').get({})
  if (!organization) throw new Error('there is no organization to sign in to')
  await edit(serverCaller(organization.key), async ({ store, recordFields, recordChanges }) => {
    const clients = store.collection('clients')
    // Another sign-in has created it meanwhile.
    if (await clients.get({ clientId: COMMAND_LINE_CLIENT_ID })) return
    const client = { ...recordFields(), ...MEMBERS, _organization: organization.key }
    await clients.insert(client)
    recordChanges({}, [createdChange('ApiClient', client)])
  })
}

/** A public client on the computer of the person, without permissions of its own. */
const MEMBERS = {
  clientId: COMMAND_LINE_CLIENT_ID,
  name: 'Burgee command line',
  roles: [],
  redirectUris: ['http://127.0.0.1/callback'],
  isAssistant: false,
  isDynamic: false
}
