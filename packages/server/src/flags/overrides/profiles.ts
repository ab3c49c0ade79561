import type { UpdateUserProfile } from '@burgee/contract/schemas'
import { modifiedChanges } from '../../access/audit/changes.ts'
import type { Edit } from '../../access/audit/edit.ts'
import type { TokenCaller } from '../../access/permissions/caller.ts'
import { refused } from '../../access/permissions/managementError.ts'
import type { StoredProfile } from '../../storage/resources/applicationUser.ts'
import type { StoredProject } from '../../storage/resources/project.ts'
import type { RecordFields } from '../../storage/resources/recordFields.ts'
import type { Store } from '../../storage/store.ts'
import { withUserHash } from '../applicationUsers/userHash.ts'
import { assertCanMoveOverrides } from './assertCanOverride.ts'
import { listOwnOverrides, removeOverrides, updateOverride } from './overrides.ts'

/** Returns the caller's profile in a project, and creates an empty one on first use. */
export async function ensureProfile(
  store: Store,
  { _id: _project }: StoredProject,
  { id }: TokenCaller,
  recordFields: () => RecordFields
): Promise<StoredProfile> {
  const profiles = store.collection('profiles')
  const found = await profiles.get({ _project, idp_user: id })
  return found ?? profiles.insert({ ...recordFields(), _project, idp_user: id, svcUserId: null })
}

/**
 * Updates the caller's profile in a project. The caller's overrides follow to the new user id, and are removed if there
 * is none.
 * @throws {HttpError} 403 if the caller may not move them, 409 if another member has the user id.
 */
export async function updateProfile(
  change: Edit,
  project: StoredProject,
  { svcUserId: wanted }: UpdateUserProfile
): Promise<StoredProfile> {
  const { store, caller, at, recordFields, recordChanges } = change
  const before = await ensureProfile(store, project, caller, recordFields)
  const svcUserId = wanted === undefined ? before.svcUserId : wanted || null
  if (svcUserId === before.svcUserId) return before
  const overrides = await listOwnOverrides(store, project, caller)
  if (svcUserId === null) await removeOverrides(change, overrides)
  else {
    await assertCanMoveOverrides(store, caller, project, overrides)
    await assertUniqueServiceUser(store, before, svcUserId)
    for (const override of overrides) await updateOverride(change, override, { svcUserId })
  }
  await store.collection('profiles').update(before._id, { svcUserId, updatedAt: at })
  const after = { ...before, svcUserId, updatedAt: at }
  const logged = [await withUserHash(change, before), await withUserHash(change, after)] as const
  recordChanges({ _project: project._id }, modifiedChanges('UserProfile', ...logged))
  return after
}

/**
 * Asserts that no other member has this `svcUserId`; members would otherwise share overrides.
 * @throws {HttpError} 409
 */
async function assertUniqueServiceUser(
  store: Store,
  { _id, _project }: StoredProfile,
  svcUserId: string
): Promise<void> {
  const holder = await store.collection('profiles').get({ _project, svcUserId })
  if (holder && holder._id !== _id) {
    throw refused(
      'ERR_DUPE_PROFILE_SVC_USER_ID',
      `Duplicate svcUserId '${svcUserId}': another member of the team has it`
    )
  }
}
