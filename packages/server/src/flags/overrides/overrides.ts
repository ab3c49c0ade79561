import type { TokenCaller } from '../../access/permissions/caller.ts'
import { badRequest } from '../../lib/errors.ts'
import type { StoredOverride, StoredProfile } from '../../storage/resources/applicationUser.ts'
import type { StoredProject } from '../../storage/resources/project.ts'
import type { RecordFields } from '../../storage/resources/recordFields.ts'
import type { Store } from '../../storage/store.ts'

/** Lists the caller's overrides in a project. */
export async function listOwnOverrides(
  store: Store,
  { _id: _project }: StoredProject,
  { id }: TokenCaller
): Promise<readonly StoredOverride[]> {
  const where = { _project, idp_user: id }
  return (await store.collection('overrides').list({ where, sortBy: 'createdAt' })).items
}

/**
 * Sets the variation of a feature that the member with a profile is served in one environment.
 * @throws {HttpError} 400 if the profile has no user id that an override could apply to.
 */
export async function setOverride(
  store: Store,
  { _project, idp_user, svcUserId }: StoredProfile,
  { _feature, _environment, _variation }: Pick<StoredOverride, '_feature' | '_environment' | '_variation'>,
  recordFields: RecordFields
): Promise<StoredOverride> {
  if (svcUserId === null) throw badRequest('svcUserId of your profile should be set before an override, got null')
  const overrides = store.collection('overrides')
  const place = { _feature, _environment, idp_user }
  const before = await overrides.get(place)
  const members = { _variation, svcUserId, updatedAt: recordFields.updatedAt }
  if (!before) return overrides.insert({ ...recordFields, ...members, ...place, _project })
  // The item was found in the same transaction.
  return (await overrides.update(before._id, members)) as StoredOverride
}
