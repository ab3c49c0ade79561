import { z } from 'zod'
import { permissions } from '../access/permission.ts'
import { permissionModes, roles } from '../access/role.ts'
import { ids } from './examples/shop.ts'
import { Reference } from './fields.ts'

/** What someone may do, by the name of their part. */
export const RoleName = z.enum(roles).meta({ id: 'Role' })

/** One thing a token can allow. */
export const PermissionName = z.enum(permissions).meta({ id: 'Permission' })

/** How far an organization tells its people apart: not at all, by role, or by role in each project. */
export const PermissionModeName = z.enum(permissionModes).meta({ id: 'PermissionMode' })

/** A role that somebody has: in one project, or in the organization and all its projects when none is named. */
export const RoleGrant = z
  .strictObject({
    role: RoleName,
    project: Reference.exactOptional().meta({
      description: 'Key or id of the project; answers have the id. Absent for the organization and all its projects.'
    })
  })
  .refine(({ role, project }) => project === undefined || !role.startsWith('organization_'), {
    path: ['project'],
    error: 'should not be given with a role of the organization'
  })
  .meta({ id: 'RoleGrant', example: { role: 'publisher', project: ids.project } })
export type RoleGrant = z.infer<typeof RoleGrant>

/** The roles that somebody has. */
export const RoleGrants = z.array(RoleGrant).max(1000)
