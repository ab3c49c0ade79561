import { isDeepStrictEqual } from 'node:util'
import { isProtected } from '@burgee/contract/schemas'
import { assertPermission } from '../../access/permissions/assertPermission.ts'
import type { TokenCaller } from '../../access/permissions/caller.ts'
import type { StoredAudience } from '../../storage/resources.ts'
import type { Store } from '../../storage/store.ts'
import { audienceReferences } from './audienceReferences.ts'
import { listConfigurationsByEnvironment } from './audienceUsage.ts'

/**
 * Demands the right to publish of those who change who is in an audience, where that changes what users of a protected
 * environment get.
 * @throws {ApiError} 403
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

/** Whether a feature that is switched on in a protected environment asks for an audience, itself or through others. */
async function isServedInProtected(store: Store, audience: StoredAudience): Promise<boolean> {
  const asking = await findReferringAudiences(store, audience)
  const live = (await listConfigurationsByEnvironment(store, audience._project)).filter(({ environment }) =>
    isProtected(environment)
  )
  return live.some(({ configurations }) =>
    configurations
      .filter(({ status }) => status === 'active')
      .flatMap(({ targets }) => targets)
      .some((target) => audienceReferences(target.audience.filters).some((id) => asking.has(id)))
  )
}

/** The ids of an audience and of all that refer to it, directly or through others. */
async function findReferringAudiences(store: Store, { _id, _project }: StoredAudience): Promise<ReadonlySet<string>> {
  const { items } = await store.collection('audiences').list({ where: { _project } })
  const found = new Set([_id])
  // The set grows as it is walked through.
  for (const id of found) {
    for (const { _id, filters } of items) if (audienceReferences(filters).includes(id)) found.add(_id)
  }
  return found
}
