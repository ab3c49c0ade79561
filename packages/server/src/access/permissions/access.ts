import { type Permission, type PermissionMode, permissions, permissionsOfRole } from '@burgee/contract'
import type { StoredGrant } from '../../storage/resources/organization.ts'

/** The permissions of a caller, by project. */
export interface Access {
  /** Whether a permission is granted in a project, or in the organization itself if no project is given. */
  readonly allows: (permission: Permission, project?: string) => boolean
  /** Whether a permission is granted in the organization or in any project. */
  readonly allowsAnywhere: (permission: Permission) => boolean
  /** Whether the caller can see a project. */
  readonly canSeeProject: (project: string) => boolean
  /** The permission mode of the organization; some rules depend on it. */
  readonly mode: PermissionMode
  /**
   * Whether the roles include `organization_owner`, or roles do not limit the caller; false if the client may not write
   * settings of the organization.
   */
  readonly isOwner: boolean
  /**
   * The ids of the only environments that the caller can change, and whose SDK keys and users it can see; all if
   * absent.
   */
  readonly environments?: ReadonlySet<string>
}

interface AccessOptions {
  /** Everything is granted if omitted. */
  readonly grants?: readonly StoredGrant[] | undefined
  readonly mode: PermissionMode
  /** Whether roles in the organization extend to its projects. */
  readonly extendsToProjects: boolean
  /** The largest set of permissions to grant; unlimited if omitted. */
  readonly limit?: ReadonlySet<Permission> | undefined
}

/**
 * Computes the permissions that these grants give in a permission mode. See docs/reference/management.md#permissions.
 */
export function createAccess({ grants, mode, extendsToProjects, limit }: AccessOptions): Access {
  const applicable = mode === 'basic' ? grants?.filter(({ _project }) => _project === undefined) : grants
  const covers = ({ _project }: StoredGrant, permission: Permission, project: string | undefined): boolean => {
    if (_project === project) return true
    // A role in any project includes reading the organization that owns it.
    if (project === undefined) return permission.startsWith('organization:read:')
    return _project === undefined && extendsToProjects
  }
  const isGranted = (permission: Permission, project?: string): boolean => {
    if (!applicable || mode === 'flat') return true
    // Organization permissions are checked in the organization, wherever they are required.
    const scope = permission.startsWith('organization:') ? undefined : project
    return applicable.some(
      (grant) => covers(grant, permission, scope) && permissionsOfRole(grant.role, mode).has(permission)
    )
  }
  const isWithin = (permission: Permission): boolean => !limit || limit.has(permission)
  const scopes = [undefined, ...new Set(applicable?.flatMap(({ _project }) => _project ?? []))]
  return {
    allows: (permission, project) => isWithin(permission) && isGranted(permission, project),
    allowsAnywhere: (permission) => {
      // An organization role that extends to projects does so for all of them.
      const somewhere = extendsToProjects ? [...scopes, ALL_PROJECTS] : scopes
      return isWithin(permission) && somewhere.some((scope) => isGranted(permission, scope))
    },
    canSeeProject: (project) => isGranted('project:read', project),
    mode,
    isOwner:
      isWithin('organization:write:settings') && (!applicable || mode === 'flat' || applicable.some(isOwnerGrant))
  }
}

function isOwnerGrant({ role, _project }: StoredGrant): boolean {
  return role === 'organization_owner' && _project === undefined
}

/** The key of the grants that hold in every project, including future ones. */
export const ALL_PROJECTS = ''

/** The access of the server itself and of fully trusted callers. */
export const fullAccess: Access = createAccess({ mode: 'full', extendsToProjects: true })

/** Lists every permission that is granted anywhere. */
export function listPermissions({ allowsAnywhere }: Access): readonly Permission[] {
  return permissions.filter((permission) => allowsAnywhere(permission))
}
