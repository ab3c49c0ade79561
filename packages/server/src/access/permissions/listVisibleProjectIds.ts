import type { Permission } from '@burgee/contract'
import type { Store } from '../../storage/store.ts'
import { ALL_PROJECTS } from './access.ts'
import type { TokenCaller } from './caller.ts'

/** Lists the ids of the projects that a caller can see and in which the caller has a permission. */
export async function listVisibleProjectIds(
  store: Store,
  { organization, access }: Pick<TokenCaller, 'organization' | 'access'>,
  permission: Permission
): Promise<readonly string[]> {
  const { items } = await store.collection('projects').list({ where: { _organization: organization } })
  return items
    .map(({ _id }) => _id)
    .filter((project) => access.canSeeProject(project) && access.allows(permission, project))
}

/**
 * Whether a caller may read entries of all projects, including deleted ones: the permission that exporting the log
 * requires.
 */
export function canReadFullAuditLog({ access }: Pick<TokenCaller, 'access'>): boolean {
  return access.allows('feature:read', ALL_PROJECTS) || access.allows('organization:write:settings')
}
