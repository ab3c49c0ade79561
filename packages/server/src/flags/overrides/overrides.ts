import { createdChange, deletedChange, modifiedChanges } from '../../access/audit/changes.ts'
import type { Edit } from '../../access/audit/edit.ts'
import type { TokenCaller } from '../../access/permissions/caller.ts'
import { badRequest } from '../../lib/errors.ts'
import type { StoredOverride, StoredProfile } from '../../storage/resources/applicationUser.ts'
import type { StoredProject } from '../../storage/resources/project.ts'
import type { Store } from '../../storage/store.ts'
import { withUserHash } from '../applicationUsers/userHash.ts'

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
  change: Edit,
  { _project, idp_user, svcUserId }: StoredProfile,
  { _feature, _environment, _variation }: Pick<StoredOverride, '_feature' | '_environment' | '_variation'>
): Promise<StoredOverride> {
  if (svcUserId === null) throw badRequest('svcUserId of your profile should be set before an override, got null')
  const overrides = change.store.collection('overrides')
  const place = { _feature, _environment, idp_user }
  const before = await overrides.get(place)
  if (before) return updateOverride(change, before, { _variation, svcUserId })
  const made = await overrides.insert({ ...change.recordFields(), _variation, svcUserId, ...place, _project })
  const logged = await withUserHash(change, made)
  change.recordChanges(scopeOf(made), [{ ...createdChange('Override', logged), _environments: [_environment] }])
  return made
}

/** Updates an override and records the change in the audit log of its feature. */
export async function updateOverride(
  change: Edit,
  before: StoredOverride,
  members: Partial<Pick<StoredOverride, '_variation' | 'svcUserId'>>
): Promise<StoredOverride> {
  const after = { ...before, ...members }
  const changes = modifiedChanges('Override', await withUserHash(change, before), await withUserHash(change, after))
  if (changes.length === 0) return before
  const { store, at, recordChanges } = change
  await store.collection('overrides').update(before._id, { ...members, updatedAt: at })
  const _environments = [before._environment]
  recordChanges(
    scopeOf(before),
    changes.map((each) => ({ ...each, _environments }))
  )
  return { ...after, updatedAt: at }
}

/** Removes overrides and records each removal in the audit log of its feature. */
export async function removeOverrides(change: Edit, overrides: readonly StoredOverride[]): Promise<void> {
  for (const override of overrides) {
    await change.store.collection('overrides').remove(override._id)
    const _environments = [override._environment]
    const logged = await withUserHash(change, override)
    change.recordChanges(scopeOf(override), [{ ...deletedChange('Override', logged), _environments }])
  }
}

function scopeOf({ _project, _feature }: StoredOverride) {
  return { _project, _feature }
}
