import type { PermissionMode } from '@burgee/contract'
import { hashRandomSecret } from '../../server/src/identity/secrets/secretHash.ts'
import { openStore } from '../../server/src/storage/open/openStore.ts'
import type { StoredGrant, StoredOrganization, StoredUser } from '../../server/src/storage/resources/organization.ts'
import { CLIENT_SECRET } from './apiClients.ts'
import { toStoreUrl } from './harness.ts'
import { idOf, NOW } from './plan.ts'

/** The members of an organization: clients by client id, people by the name that `userIdOf` accepts. */
export interface Members {
  readonly mode: PermissionMode
  readonly controlledBy?: StoredOrganization['settings']['permissions']['controlledBy']
  readonly groups?: StoredOrganization['settings']['permissions']['groups']
  readonly clients?: Readonly<Record<string, readonly StoredGrant[]>>
  readonly people?: Readonly<Record<string, readonly StoredGrant[] | Partial<StoredUser>>>
}

/** Returns the user id of the person with this name. */
export function userIdOf(name: string): string {
  return `burgee|${idOf(`person ${name}`)}`
}

/** Writes the organization `org_test` and its members into the closed store in a directory. */
export async function addMembers(directory: string, members: Members): Promise<void> {
  const { mode, controlledBy = 'burgee', groups = [], clients = {}, people = {} } = members
  const store = await openStore(toStoreUrl(directory))
  const secretVerifier = hashRandomSecret(CLIENT_SECRET)
  await store.transaction(async (transaction) => {
    await transaction.collection('organizations').insert({
      ...recordFields('org_test'),
      key: 'org_test',
      name: 'test',
      displayName: 'Test',
      settings: { permissions: { mode, controlledBy, groups } }
    })
    for (const [clientId, roles] of Object.entries(clients)) {
      const kind = { redirectUris: [], isAssistant: false, isDynamic: false }
      const client = { clientId, name: clientId, secretVerifier, roles, ...kind, _organization: 'org_test' }
      await transaction.collection('clients').insert({ ...recordFields(`client ${clientId}`), ...client })
    }
    for (const [name, given] of Object.entries(people)) {
      await transaction.collection('users').insert({
        ...recordFields(`person ${name}`),
        userId: userIdOf(name),
        email: `${idOf(name)}@example.com`,
        name,
        isDisabled: false,
        mustChangePassword: false,
        _organization: 'org_test',
        roles: [],
        ...(isGrants(given) ? { roles: given } : given)
      })
    }
  })
  await store.close()
}

function isGrants(given: readonly StoredGrant[] | Partial<StoredUser>): given is readonly StoredGrant[] {
  return Array.isArray(given)
}

function recordFields(name: string) {
  const at = new Date(NOW).toISOString()
  return { _id: idOf(name), createdAt: at, updatedAt: at }
}
