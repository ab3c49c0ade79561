import { getInProject, getProject } from '../../access/lookup.ts'
import type { TokenCaller } from '../../access/permissions/caller.ts'
import type { StoredEnvironment } from '../../storage/resources/project.ts'
import type { Store } from '../../storage/store.ts'
import { assertCanChangeProtected } from './protection.ts'

/**
 * Returns an environment that the caller may change.
 * @throws {HttpError} 404, or 403 if it is protected and the caller may not publish.
 */
export async function getChangeableEnvironment(
  store: Store,
  path: { readonly project: string; readonly environment: string },
  caller: TokenCaller
): Promise<StoredEnvironment> {
  const project = await getProject(store, path.project, caller)
  const environment = await getInProject(store, 'environments', project, path.environment, caller)
  assertCanChangeProtected(environment, caller)
  return environment
}
