import type { Session } from '@burgee/contract/schemas'
import { omitUndefined } from '@burgee/kit'
import type { TokenCaller } from '../../access/permissions/caller.ts'
import { toIsoString } from '../../lib/time.ts'
import type { Store } from '../../storage/store.ts'
import { getOrganization } from '../organizations/getOrganization.ts'
import { listGrantedPermissions } from './grantedPermissions.ts'

/** Returns who a caller is and what the caller may do. */
export async function getSession(store: Store, caller: TokenCaller): Promise<Omit<Session, 'server'>> {
  const { id, name, email, actor, clientId, access, expiresAt } = caller
  const organization = await getOrganization(store, caller)
  return {
    user: { id, name, ...omitUndefined({ email }) },
    actor,
    ...omitUndefined({ clientId }),
    organization: { id: organization.key, name: organization.name, display_name: organization.displayName },
    mode: organization.settings.permissions.mode,
    permissions: await listGrantedPermissions(store, caller, access),
    ...(access.environments ? { environments: [...access.environments] } : {}),
    ...(expiresAt === undefined ? {} : { expiresAt: toIsoString(expiresAt) })
  }
}
