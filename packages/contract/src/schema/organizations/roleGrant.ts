import { z } from 'zod'
import { permissions } from '../../access/permission.ts'
import { permissionModes, roles } from '../../access/role.ts'
import { Reference } from '../common/fields.ts'
import { ids } from '../examples/shop.ts'

/** A role of a user or an API client. */
export const RoleName = z.enum(roles).meta({ id: 'Role' })

/** A permission of the management API. */
export const PermissionName = z.enum(permissions).meta({ id: 'Permission' })

/** How an organization grants permissions. */
export const PermissionModeName = z.enum(permissionModes).meta({ id: 'PermissionMode' })

/** A role in one project, or in the organization and all its projects. */
export const RoleGrant = z
  .strictObject({
    role: RoleName,
    project: Reference.exactOptional().meta({
      description: 'Key or id of the project; responses have the id. Absent: the organization and all its projects.'
    })
  })
  .refine(({ role, project }) => project === undefined || !role.startsWith('organization_'), {
    path: ['project'],
    error: 'should not be given with a role of the organization'
  })
  .meta({ id: 'RoleGrant', example: { role: 'publisher', project: ids.project } })
export type RoleGrant = z.infer<typeof RoleGrant>

/** The roles of a user or an API client. */
export const RoleGrants = z
  .array(RoleGrant)
  .max(1000)
  .meta({ description: 'Roles in the organization and in projects.' })
