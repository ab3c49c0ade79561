import type { UpdateUserProfile } from '@burgee/contract/schemas'
import type { TokenCaller } from '../../access/permissions/caller.ts'
import { refused } from '../../access/permissions/managementError.ts'
import type { StoredProfile } from '../../storage/resources/applicationUser.ts'
import type { StoredProject } from '../../storage/resources/project.ts'
import type { RecordFields } from '../../storage/resources/recordFields.ts'
import type { Store } from '../../storage/store.ts'
import { listOwnOverrides } from './overrides.ts'

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
 * @throws {HttpError} 409 if another member has the user id.
 */
export async function updateProfile(
  store: Store,
  project: StoredProject,
  caller: TokenCaller,
  { body, recordFields }: { readonly body: UpdateUserProfile; readonly recordFields: () => RecordFields }
): Promise<StoredProfile> {
  const before = await ensureProfile(store, project, caller, recordFields)
  const svcUserId = body.svcUserId === undefined ? before.svcUserId : body.svcUserId || null
  if (svcUserId === before.svcUserId) return before
  await assertUniqueServiceUser(store, before, svcUserId)
  const { updatedAt } = recordFields()
  for (const override of await listOwnOverrides(store, project, caller)) {
    if (svcUserId === null) await store.collection('overrides').remove(override._id)
    else await store.collection('overrides').update(override._id, { svcUserId, updatedAt })
  }
  return { ...before, ...(await store.collection('profiles').update(before._id, { svcUserId, updatedAt })) }
}

/**
 * Asserts that no other member has this `svcUserId`; members would otherwise share overrides.
 * @throws {HttpError} 409
 */
async function assertUniqueServiceUser(
  store: Store,
  { _id, _project }: StoredProfile,
  svcUserId: string | null
): Promise<void> {
  if (svcUserId === null) return
  const holder = await store.collection('profiles').get({ _project, svcUserId })
  if (holder && holder._id !== _id) {
    throw refused(
      'ERR_DUPE_PROFILE_SVC_USER_ID',
      `Duplicate svcUserId '${svcUserId}': another member of the team has it`
    )
  }
}
