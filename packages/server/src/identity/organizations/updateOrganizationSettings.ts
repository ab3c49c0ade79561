import type { UpdateOrganizationSettings } from '@burgee/contract/schemas'
import { omitUndefined } from '@burgee/kit'
import type { Edit } from '../../access/audit/edit.ts'
import { updateAudited } from '../../access/audit/updateAudited.ts'
import { assertFullAccess, assertGrantable } from '../../access/permissions/assertNoEscalation.ts'
import { toUserIdentity } from '../../access/permissions/findIdentity.ts'
import { badRequest, preconditionFailed } from '../../lib/errors.ts'
import type { StoredOrganization } from '../../storage/resources/organization.ts'
import { assertOwnerRemains } from './assertOwnerRemains.ts'
import { getOrganization } from './getOrganization.ts'
import { resolveGrantProject } from './resolveGrants.ts'

type GivenPermissions = NonNullable<UpdateOrganizationSettings['permissions']>
type Permissions = StoredOrganization['settings']['permissions']
type Mapping = Permissions['groups'][number]

/**
 * Updates the settings of the caller's organization. Omitted members are unchanged.
 * @throws {HttpError} 400, 403, 404, 409 or 412
 */
export async function updateOrganizationSettings(
  change: Edit,
  { permissions: wanted = {}, secondFactor }: UpdateOrganizationSettings
): Promise<StoredOrganization> {
  const before = await getOrganization(change.store, change.caller)
  const kept = before.settings.permissions
  const { mode, controlledBy } = { ...kept, ...omitUndefined(wanted) }
  if (mode === 'flat' && controlledBy === 'identityProvider') {
    throw badRequest(
      'permissions.controlledBy should be burgee when permissions.mode is flat, got identityProvider: in flat mode, all members have all permissions'
    )
  }
  if (mode !== kept.mode || controlledBy !== kept.controlledBy) {
    assertFullAccess(change.caller, 'changing the permission mode of the organization')
  }
  const groups = wanted.groups ? await resolveMappings(change, kept.groups, wanted.groups) : kept.groups
  const permissions = { mode, controlledBy, groups }
  const settings = { ...before.settings, permissions, ...omitUndefined({ secondFactor }) }
  const after = { ...before, settings }
  await assertNotLockedOut(change, after)
  const place = { collection: 'organizations', resource: 'Organization', subject: {} } as const
  const { items: people } = await change.store.collection('users').list({ where: { _organization: before.key } })
  await assertOwnerRemains(change.store, after, { people, organization: before })
  return updateAudited(change, place, before, after)
}

/**
 * Resolves group mappings. The caller need not be able to see or grant unchanged mappings.
 * @throws {HttpError} 403 or 404
 */
async function resolveMappings(
  { store, caller }: Edit,
  before: readonly Mapping[],
  wanted: NonNullable<GivenPermissions['groups']>
): Promise<readonly Mapping[]> {
  const after: Mapping[] = []
  for (const { group, role, project } of wanted) {
    const kept = before.find(isSame({ group, role, ...(project === undefined ? {} : { _project: project }) }))
    after.push(kept ?? { group, role, ...(await resolveGrantProject(store, project, caller)) })
  }
  const removed = before.filter((mapping) => !after.some(isSame(mapping)))
  const added = after.filter((mapping) => !before.some(isSame(mapping)))
  assertGrantable(caller, [...removed, ...added])
  return after
}

function isSame(one: Mapping): (other: Mapping) => boolean {
  return ({ group, role, _project }) => group === one.group && role === one.role && _project === one._project
}

/**
 * Asserts that a person can still revert their own change. Permissions of clients do not depend on these settings.
 * @throws {HttpError} 412
 */
async function assertNotLockedOut({ store, caller }: Edit, after: StoredOrganization): Promise<void> {
  const user = await store.collection('users').get({ userId: caller.id })
  const isLockedOut = user && !toUserIdentity(user, after).access.allows('organization:write:settings')
  if (!isLockedOut) return
  throw preconditionFailed(
    'with these settings the caller would lack the permission organization:write:settings and could not change them back'
  )
}
