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

/** The permissions in words, by what they are about. */
export const permissionGroups: readonly {
  readonly title: string
  readonly permissions: readonly (readonly [Permission, string])[]
}[] = [
  {
    title: 'Organization',
    permissions: [
      ['organization:read:settings', 'see settings and history'],
      ['organization:read:members', 'see people'],
      ['organization:write:settings', 'change settings, people and clients']
    ]
  },
  {
    title: 'Projects',
    permissions: [
      ['project:read', 'see'],
      ['project:write', 'create'],
      ['project:write:settings', 'change settings and webhooks'],
      ['project:delete', 'delete'],
      ['project:read:overrides', 'see self-targeting of everyone']
    ]
  },
  {
    title: 'Environments',
    permissions: [
      ['environment:read', 'see'],
      ['environment:write', 'change, with SDK keys'],
      ['environment:delete', 'delete']
    ]
  },
  {
    title: 'Features',
    permissions: [
      ['feature:read', 'see'],
      ['feature:write', 'create and change'],
      ['feature:publish', 'publish to protected environments'],
      ['feature:delete', 'delete']
    ]
  },
  {
    title: 'Variations',
    permissions: [
      ['variation:read', 'see'],
      ['variation:write', 'create and change']
    ]
  },
  {
    title: 'Variables',
    permissions: [
      ['variable:read', 'see'],
      ['variable:write', 'create and change']
    ]
  },
  {
    title: 'Audiences',
    permissions: [
      ['audience:read', 'see'],
      ['audience:write', 'create and change'],
      ['audience:delete', 'delete']
    ]
  }
]

/** Names of projects by their id and key. */
export type ProjectNames = ReadonlyMap<string, string>

/** A role in words, as in "Publisher in Shop". */
export function describeGrant({ role, project }: RoleGrant, projects: ProjectNames): string {
  const title = roleTitles[role]
  return project === undefined ? title : `${title} in ${projects.get(project) ?? 'a project that you cannot see'}`
}

/** Whether a role is one of the organization, which no project can grant. */
export function isOrganizationRole(role: Role): boolean {
  return role.startsWith('organization_')
}
