import { type Permission, type PermissionMode, permissions, permissionsOfRole } from '@burgee/contract'
import type { StoredGrant } from '../../storage/resources.ts'

/** What somebody may do, and where. */
export interface Access {
  /** In a project, or in the organization itself when none is named. */
  readonly allows: (permission: Permission, project?: string) => boolean
  /** Whether there is any place where they may. */
  readonly allowsAnywhere: (permission: Permission) => boolean
  /** Whether a project exists for them at all. */
  readonly canSeeProject: (project: string) => boolean
  /** How roles are read: some rules differ. */
  readonly mode: PermissionMode
}

interface AccessOptions {
  /** Without any, everything is granted. */
  readonly grants?: readonly StoredGrant[] | undefined
  readonly mode: PermissionMode
  /** Whether a role in the organization reaches into its projects. */
  readonly reachesProjects: boolean
  /** The most that is allowed, whatever is granted; no limit when left out. */
  readonly limit?: ReadonlySet<Permission> | undefined
}

/** What these grants come to, in a mode (`management.md` §3). */
export function createAccess({ grants, mode, reachesProjects, limit }: AccessOptions): Access {
  const counted = mode === 'basic' ? grants?.filter(({ _project }) => _project === undefined) : grants
  const covers = ({ _project }: StoredGrant, permission: Permission, project: string | undefined): boolean => {
    if (_project === project) return true
    // Whoever has a part in a project may know whose project it is.
    if (project === undefined) return permission.startsWith('organization:read:')
    return _project === undefined && reachesProjects
  }
  const isGranted = (permission: Permission, project?: string): boolean => {
    if (!counted || mode === 'flat') return true
    // What is the organization's is granted there, wherever it is asked for.
    const place = permission.startsWith('organization:') ? undefined : project
    return counted.some(
      (grant) => covers(grant, permission, place) && permissionsOfRole(grant.role, mode).has(permission)
    )
  }
  const isWithin = (permission: Permission): boolean => !limit || limit.has(permission)
  const places = [undefined, ...new Set(counted?.flatMap(({ _project }) => _project ?? []))]
  return {
    allows: (permission, project) => isWithin(permission) && isGranted(permission, project),
    allowsAnywhere: (permission) => {
      // A role in the organization that reaches into projects does so into each alike.
      const somewhere = reachesProjects ? [...places, ALL_PROJECTS] : places
      return isWithin(permission) && somewhere.some((place) => isGranted(permission, place))
    },
    canSeeProject: (project) => isGranted('project:read', project),
    mode
  }
}

/** The name of no project: what is allowed there is allowed in every project, also in those to come. */
export const ALL_PROJECTS = ''

/** The access of the server itself, and of those it trusts with everything. */
export const fullAccess: Access = createAccess({ mode: 'full', reachesProjects: true })

/** Everything that somebody may do in some place. */
export function listPermissions({ allowsAnywhere }: Access): readonly Permission[] {
  return permissions.filter((permission) => allowsAnywhere(permission))
}
