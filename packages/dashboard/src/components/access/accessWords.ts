import type { Permission, Role } from '@burgee/contract'
import type { RoleGrant } from '@burgee/contract/schemas'

/** The roles in words. */
export const roleTitles: Readonly<Record<Role, string>> = {
  viewer: 'Viewer',
  member: 'Member',
  publisher: 'Publisher',
  project_admin: 'Project admin',
  organization_admin: 'Organization admin',
  organization_owner: 'Organization owner'
}

/** The permissions by the resource that they are about. */
export const permissionGroups: readonly { readonly title: string; readonly permissions: readonly Permission[] }[] = [
  {
    title: 'Organization',
    permissions: ['organization:read:settings', 'organization:read:members', 'organization:write:settings']
  },
  {
    title: 'Projects',
    permissions: ['project:read', 'project:write', 'project:write:settings', 'project:delete', 'project:read:overrides']
  },
  { title: 'Environments', permissions: ['environment:read', 'environment:write', 'environment:delete'] },
  { title: 'Features', permissions: ['feature:read', 'feature:write', 'feature:publish', 'feature:delete'] },
  { title: 'Variations', permissions: ['variation:read', 'variation:write'] },
  { title: 'Variables', permissions: ['variable:read', 'variable:write'] },
  { title: 'Audiences', permissions: ['audience:read', 'audience:write', 'audience:delete'] }
]

/** Names of projects by their id and key. */
export type ProjectNames = ReadonlyMap<string, string>

/** A role in words, for example "Publisher in Shop". */
export function describeGrant({ role, project }: RoleGrant, projects: ProjectNames): string {
  const title = roleTitles[role]
  return project === undefined ? title : `${title} in ${projects.get(project) ?? 'a project that you cannot see'}`
}

/** Whether a role is one of the organization, which no project can grant. */
export function isOrganizationRole(role: Role): boolean {
  return role.startsWith('organization_')
}
