import { isDeepStrictEqual } from 'node:util'
import { isProtected } from '@burgee/contract/schemas'
import { assertPermission } from '../../access/permissions/assertPermission.ts'
import type { TokenCaller } from '../../access/permissions/caller.ts'
import type { StoredAudience } from '../../storage/resources/project.ts'
import type { Store } from '../../storage/store.ts'
import { audienceReferences } from './audienceReferences.ts'
import { listConfigurationsByEnvironment } from './audienceUsage.ts'

/**
 * Asserts `feature:publish` for changing the filters of an audience that an active feature uses in a protected
 * environment.
 * @throws {HttpError} 403
 */
export async function assertCanPublishAudience(
  store: Store,
  caller: TokenCaller,
  before: StoredAudience,
  after: StoredAudience
): Promise<void> {
  if (isDeepStrictEqual(before.filters, after.filters)) return
  if (await isServedInProtected(store, before)) assertPermission(caller, 'feature:publish', before._project)
}

/** Whether an active feature uses an audience in a protected environment, directly or through other audiences. */
async function isServedInProtected(store: Store, audience: StoredAudience): Promise<boolean> {
  const referring = await findReferringAudiences(store, audience)
  const live = (await listConfigurationsByEnvironment(store, audience._project)).filter(({ environment }) =>
    isProtected(environment)
  )
  return live.some(({ configurations }) =>
    configurations
      .filter(({ status }) => status === 'active')
      .flatMap(({ targets }) => targets)
      .some((target) => audienceReferences(target.audience.filters).some((id) => referring.has(id)))
  )
}

/** Returns the ids of an audience and of all audiences that refer to it, directly or through others. */
async function findReferringAudiences(store: Store, { _id, _project }: StoredAudience): Promise<ReadonlySet<string>> {
  const { items } = await store.collection('audiences').list({ where: { _project } })
  const found = new Set([_id])
  // The set grows during the iteration.
  for (const id of found) {
    for (const { _id, filters } of items) if (audienceReferences(filters).includes(id)) found.add(_id)
  }
  return found
}
