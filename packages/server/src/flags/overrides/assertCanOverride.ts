import type { TokenCaller } from '../../access/permissions/caller.ts'
import type { StoredOverride } from '../../storage/resources/applicationUser.ts'
import type { StoredEnvironment, StoredProject } from '../../storage/resources/project.ts'
import type { Store } from '../../storage/store.ts'
import { assertCanChangeProtected } from '../environments/protection.ts'

/**
 * Asserts `feature:publish` for an override in a protected environment: it determines what a user of production gets. A
 * project can lower this to the permission of the operation (ADR 51).
 * @throws {HttpError} 403
 */
export function assertCanOverride(
  caller: TokenCaller,
  { settings }: StoredProject,
  environment: StoredEnvironment
): void {
  if (settings.overrides?.protectedPermission !== 'read') assertCanChangeProtected(environment, caller)
}

/**
 * Asserts that the caller may move overrides to another user: every one of them could be made there.
 * @throws {HttpError} 403
 */
export async function assertCanMoveOverrides(
  store: Store,
  caller: TokenCaller,
  project: StoredProject,
  overrides: readonly StoredOverride[]
): Promise<void> {
  const ids = new Set(overrides.map(({ _environment }) => _environment))
  const { items } = await store.collection('environments').list({ where: { _project: project._id } })
  for (const environment of items) if (ids.has(environment._id)) assertCanOverride(caller, project, environment)
}
