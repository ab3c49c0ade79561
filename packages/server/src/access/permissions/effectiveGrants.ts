import type { StoredGrant, StoredOrganization, StoredUser } from '../../storage/resources/organization.ts'

/**
 * Returns the effective roles of a person: roles granted here and roles mapped from groups. If the identity provider
 * controls roles, only mapped roles count, except for people who have never signed in through it and whom SCIM does not
 * manage.
 */
export function effectiveGrants(
  user: Pick<StoredUser, 'roles' | 'identity' | 'provisioning' | 'groups' | 'provisionedGroups'>,
  { settings }: Pick<StoredOrganization, 'settings'>
): readonly StoredGrant[] {
  const { controlledBy, groups: mappings } = settings.permissions
  const groups = groupsOf(user)
  const mapped = mappings
    .filter(({ group }) => groups.includes(group))
    .map(({ role, _project }): StoredGrant => ({ role, ...(_project === undefined ? {} : { _project }) }))
  const isExternal = user.identity !== undefined || user.provisioning !== undefined
  return controlledBy === 'identityProvider' && isExternal ? mapped : [...user.roles, ...mapped]
}

/** Returns the groups of a person: those from SCIM if it has provisioned any, else those of the last login. */
export function groupsOf({
  groups = [],
  provisionedGroups
}: Pick<StoredUser, 'groups' | 'provisionedGroups'>): readonly string[] {
  return provisionedGroups ?? groups
}
