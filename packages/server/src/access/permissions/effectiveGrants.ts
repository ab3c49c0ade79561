import type { StoredGrant, StoredOrganization, StoredUser } from '../../storage/resources/organization.ts'

/**
 * Returns the effective roles of a person: roles granted here and roles mapped from groups. If the identity provider
 * controls roles, only mapped roles count, except for people who have never signed in through it.
 */
export function effectiveGrants(
  { roles, identity, groups = [] }: Pick<StoredUser, 'roles' | 'identity' | 'groups'>,
  { settings }: Pick<StoredOrganization, 'settings'>
): readonly StoredGrant[] {
  const { controlledBy, groups: mappings } = settings.permissions
  const mapped = mappings
    .filter(({ group }) => groups.includes(group))
    .map(({ role, _project }): StoredGrant => ({ role, ...(_project === undefined ? {} : { _project }) }))
  return controlledBy === 'identityProvider' && identity ? mapped : [...roles, ...mapped]
}
