import { type Permission, permissions } from '@burgee/contract'
import type { GrantedPermissions } from '@burgee/contract/schemas'
import type { Access } from '../../access/permissions/access.ts'
import type { TokenCaller } from '../../access/permissions/caller.ts'
import { findIdentity } from '../../access/permissions/findIdentity.ts'
import { listVisibleProjectIds } from '../../access/permissions/listVisibleProjectIds.ts'
import type { Store } from '../../storage/store.ts'
import { getUser } from '../people/getUser.ts'

/** Lists what an account may do, in the organization and in the projects that it and the caller can read. */
export async function listGrantedPermissions(
  store: Store,
  caller: TokenCaller,
  access: Access
): Promise<GrantedPermissions> {
  const granted = (project?: string): Permission[] => permissions.filter((one) => access.allows(one, project))
  const visible = new Set(await listVisibleProjectIds(store, caller, 'project:read'))
  const { items } = await store.collection('projects').list({ where: { _organization: caller.organization } })
  const projects = items
    .filter(({ _id }) => visible.has(_id) && access.canSeeProject(_id))
    .map(({ _id, key }) => [key, granted(_id)] as const)
  return { organization: granted(), projects: Object.fromEntries(projects) }
}

/** Lists what a person may do at present; nothing while the account is disabled. @throws {HttpError} 404 */
export async function getUserPermissions(
  store: Store,
  caller: TokenCaller,
  reference: string
): Promise<GrantedPermissions> {
  const { userId } = await getUser(store, reference, caller)
  const identity = await findIdentity(store, userId)
  return identity ? listGrantedPermissions(store, caller, identity.access) : { organization: [], projects: {} }
}
