import type { Permission } from '@burgee/contract'
import type { TokenCaller } from '../caller.ts'
import type { Store } from '../store/store.ts'
import { EVERY_PROJECT } from './access.ts'

/** The ids of the projects that a caller sees and in which they have a permission. */
export async function visibleProjects(
  store: Store,
  { organization, access }: TokenCaller,
  permission: Permission
): Promise<readonly string[]> {
  const { items } = await store.collection('projects').list({ where: { _organization: organization } })
  return items.map(({ _id }) => _id).filter((project) => access.sees(project) && access.allows(permission, project))
}

/** Whether a caller may read what happened in every project, also in those that are gone: whoever may export the log may. */
export function seesAll({ access }: Pick<TokenCaller, 'access'>): boolean {
  return access.allows('feature:read', EVERY_PROJECT) || access.allows('organization:write:settings')
}
