import { type Permission, permissions } from '@burgee/contract'
import type { Session } from '@burgee/contract/schemas'
import { omitUndefined } from '@burgee/kit'
import type { TokenCaller } from '../../access/permissions/caller.ts'
import { listVisibleProjectIds } from '../../access/permissions/listVisibleProjectIds.ts'
import { toIsoString } from '../../lib/time.ts'
import type { Store } from '../../storage/store.ts'
import { getOrganization } from '../organizations/getOrganization.ts'

/** Returns who a caller is and what the caller may do. */
export async function getSession(store: Store, caller: TokenCaller): Promise<Omit<Session, 'server'>> {
  const { id, name, email, actor, clientId, access, expiresAt } = caller
  const organization = await getOrganization(store, caller)
  const granted = (project?: string): Permission[] => permissions.filter((one) => access.allows(one, project))
  const visible = new Set(await listVisibleProjectIds(store, caller, 'project:read'))
  const { items } = await store.collection('projects').list({ where: { _organization: caller.organization } })
  const projects = items.filter(({ _id }) => visible.has(_id)).map(({ _id, key }) => [key, granted(_id)] as const)
  return {
    user: { id, name, ...omitUndefined({ email }) },
    actor,
    ...omitUndefined({ clientId }),
    organization: { id: organization.key, name: organization.name, display_name: organization.displayName },
    mode: organization.settings.permissions.mode,
    permissions: { organization: granted(), projects: Object.fromEntries(projects) },
    ...(access.environments ? { environments: [...access.environments] } : {}),
    ...(expiresAt === undefined ? {} : { expiresAt: toIsoString(expiresAt) })
  }
}
