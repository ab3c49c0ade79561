import { isDeepStrictEqual } from 'node:util'
import { isProtected } from '@burgee/contract'
import { demand } from '../access/demand.ts'
import type { TokenCaller } from '../caller.ts'
import type { StoredAudience } from '../store/resources.ts'
import type { Store } from '../store/store.ts'
import { audiencesIn } from './references.ts'
import { rulesIn } from './usage.ts'

/**
 * Demands the right to publish of those who change who is in an audience, where that changes what users of a protected
 * environment get.
 * @throws {ApiError} 403
 */
export async function demandPublishing(
  store: Store,
  caller: TokenCaller,
  before: StoredAudience,
  after: StoredAudience
): Promise<void> {
  if (isDeepStrictEqual(before.filters, after.filters)) return
  if (await isLive(store, before)) demand(caller, 'feature:publish', before._project)
}

/** Whether a feature that is switched on in a protected environment asks for an audience, itself or through others. */
async function isLive(store: Store, audience: StoredAudience): Promise<boolean> {
  const asking = await askingFor(store, audience)
  const live = (await rulesIn(store, audience._project)).filter(({ environment }) => isProtected(environment))
  return live.some(({ configurations }) =>
    configurations
      .filter(({ status }) => status === 'active')
      .flatMap(({ targets }) => targets)
      .some((target) => audiencesIn(target.audience.filters).some((id) => asking.has(id)))
  )
}

/** The ids of an audience and of all that refer to it, directly or through others. */
async function askingFor(store: Store, { _id, _project }: StoredAudience): Promise<ReadonlySet<string>> {
  const { items } = await store.collection('audiences').list({ where: { _project } })
  const found = new Set([_id])
  // The set grows as it is walked through.
  for (const id of found) {
    for (const { _id, filters } of items) if (audiencesIn(filters).includes(id)) found.add(_id)
  }
  return found
}
