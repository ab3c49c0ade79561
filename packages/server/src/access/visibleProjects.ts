import type { TokenCaller } from '../caller.ts'
import type { Store } from '../store/store.ts'
import { EVERY_PROJECT } from './access.ts'

/** The ids of the projects that a caller may see. */
export async function visibleProjects(store: Store, { organization, access }: TokenCaller): Promise<readonly string[]> {
  const { items } = await store.collection('projects').list({ where: { _organization: organization } })
  return items.map(({ _id }) => _id).filter((project) => access.sees(project))
}

/** Whether a caller sees what happened in every project, also in those that are gone: whoever may export the log does. */
export function seesAll({ access }: Pick<TokenCaller, 'access'>): boolean {
  return access.sees(EVERY_PROJECT) || access.allows('organization:write:settings')
}
