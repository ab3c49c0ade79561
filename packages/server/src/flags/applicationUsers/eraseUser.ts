import type { UserDataErasure } from '@burgee/contract/schemas'
import { deletedChange } from '../../access/audit/changes.ts'
import type { Edit, EditRunner } from '../../access/audit/edit.ts'
import type { TokenCaller } from '../../access/permissions/caller.ts'
import type { EventRecorder } from '../../insights/evaluations/eventRecorder.ts'
import type { SampleUsers } from '../../insights/previews/sampleUsers.ts'
import type { IdGenerator } from '../../lib/idGenerator.ts'
import type { EventStore } from '../../storage/events/eventStore.ts'
import type { Store } from '../../storage/store.ts'
import { replaceMentions } from './replaceMentions.ts'
import { ensureUserHash } from './userHash.ts'

/** The user, and the environments of a project. */
export interface UserScope {
  readonly _project: string
  /** Ids. */
  readonly environments: readonly string[]
  readonly user_id: string
}

/** The dependencies of an erasure. */
export interface EraseDependencies {
  readonly store: Store
  readonly edit: EditRunner
  readonly eventStore: Pick<EventStore, 'eraseUser'>
  readonly recorder: Pick<EventRecorder, 'flush'>
  readonly ids: Pick<IdGenerator, 'id'>
  readonly sampleUsers: Pick<SampleUsers, 'erase'>
}

/**
 * Erases a user of an application in environments of a project. Each step can be repeated, and the audit entry is
 * written last: an erasure that was interrupted has no response, and a repeated one finishes it.
 * @throws {StoreUnavailableError} if a step could not be made durable.
 */
export async function eraseUser(
  { store, edit, eventStore, recorder, ids, sampleUsers }: EraseDependencies,
  scope: UserScope,
  caller: TokenCaller
): Promise<UserDataErasure> {
  const { _project, environments, user_id } = scope
  const removed = await store.transaction(async (transaction) => {
    const edgeUser = await transaction.collection('edgeUsers').get({ _project, user_id })
    if (edgeUser) await transaction.collection('edgeUsers').remove(edgeUser._id)
    let optIns = 0
    for (const _environment of environments) {
      const choices = await transaction.collection('optIns').get({ _environment, user_id })
      if (choices) await transaction.collection('optIns').remove(choices._id)
      if (choices) optIns++
    }
    const otherUsers = await replaceMentions(transaction, scope, ids.id())
    return { edgeData: edgeUser ? 1 : 0, optIns, otherUsers }
  })
  await store.purgeUserData()
  // Evaluations that are still in memory would be written later.
  await recorder.flush({ withUsers: true })
  const events = await eventStore.eraseUser({ environments, user_id })
  sampleUsers.erase(environments, user_id)
  const erased = await edit(caller, async (change) => {
    const overrides = await removeOverrides(change, scope)
    const userHash = await ensureUserHash(change, user_id)
    const erasure = { userHash, ...removed, overrides, events }
    const entry = { ...deletedChange('UserData', erasure), _environments: [...environments] }
    change.recordChanges({ _project }, [entry])
    return erasure
  })
  // Overrides are not user data of the store, and are removed together with the entry.
  if (erased.overrides > 0) await store.purgeUserData()
  return erased
}

/** Removes the overrides of a user, and the user id from profiles without any. Returns the number of overrides. */
async function removeOverrides(
  { store, at }: Pick<Edit, 'store' | 'at'>,
  { _project, environments, user_id }: UserScope
): Promise<number> {
  const overrides = store.collection('overrides')
  const where = { _project, svcUserId: user_id }
  const { items } = await overrides.list({ where, oneOf: { _environment: environments } })
  for (const { _id } of items) await overrides.remove(_id)
  const remaining = new Set((await overrides.list({ where })).items.map(({ idp_user }) => idp_user))
  const profiles = store.collection('profiles')
  for (const { _id, idp_user } of (await profiles.list({ where })).items) {
    if (!remaining.has(idp_user)) await profiles.update(_id, { svcUserId: null, updatedAt: at })
  }
  return items.length
}
