import type { Role } from '@burgee/contract'
import { roles } from '@burgee/contract/access'
import type { RoleGrant } from '@burgee/contract/schemas'
import { isOrganizationRole, roleTitles } from './accessWords.ts'

/** A new row of a list of roles. */
export const newGrant: RoleGrant = { role: 'member' }

/** The roles, as options of a field. */
export const roleOptions = roles.map((value) => ({ value, label: roleTitles[value] }))

/** A grant with another role. Roles of the organization have no project. */
export function withRole({ project }: RoleGrant, role: Role): RoleGrant {
  return project === undefined || isOrganizationRole(role) ? { role } : { role, project }
}

/** A grant in another place; the empty text is the organization. */
export function withProject({ role }: RoleGrant, project: string): RoleGrant {
  return project === '' ? { role } : { role, project }
}

/** Whether two lists grant the same, in any order. */
export function isSameGrants(one: readonly RoleGrant[], other: readonly RoleGrant[]): boolean {
  const textOf = (grants: readonly RoleGrant[]) =>
    [...new Set(grants.map(({ role, project = '' }) => `${role} ${project}`))].sort().join('\n')
  return textOf(one) === textOf(other)
}
