import type { StoredGrant, StoredOrganization, StoredUser } from '../../storage/resources.ts'

/**
 * The roles of a person: those given here and those of their groups. Where the identity provider has the say, those of
 * the groups alone, unless they have never signed in through it.
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
