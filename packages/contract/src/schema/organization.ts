import { z } from 'zod'
import { admin, ids, project } from './examples/shop.ts'
import { DateTime, Reference, UserReference } from './fields.ts'
import { PermissionModeName, RoleName } from './roleGrant.ts'

/** What projects and members belong to. */
export const Organization = z
  .object({ id: z.string(), name: z.string(), display_name: z.string() })
  .meta({ id: 'Organization', example: { id: project._organization, name: 'burgee', display_name: 'Burgee' } })
export type Organization = z.infer<typeof Organization>

/** A person of the organization. */
export const Member = z
  .object({
    user_id: UserReference,
    name: z.string(),
    email: z.string().meta({ description: 'Empty when it is not known.' }),
    picture: z.string().meta({ description: 'Address of a picture; empty when there is none.' })
  })
  .meta({ id: 'Member', example: { user_id: admin, name: 'burgee-admin', email: '', picture: '' } })
export type Member = z.infer<typeof Member>

const GroupMapping = z
  .strictObject({
    group: z.string().min(1).max(200).meta({ description: 'As the identity provider calls it.' }),
    role: RoleName,
    project: Reference.exactOptional().meta({ description: 'Key or id of a project; answers have the id.' })
  })
  .refine(({ role, project }) => project === undefined || !role.startsWith('organization_'), {
    path: ['project'],
    error: 'should not be given with a role of the organization'
  })
  .meta({ id: 'GroupMapping', example: { group: 'shop-team', role: 'publisher', project: ids.project } })

/** Who may do what in the organization. */
export const OrganizationSettings = z
  .object({
    permissions: z.object({
      mode: PermissionModeName.meta({
        description:
          '`flat`: everyone may do everything. `basic`: one role for all projects. `full`: roles in each project too.'
      }),
      controlledBy: z.enum(['burgee', 'identityProvider']).meta({
        description:
          'Whose word roles are. With `identityProvider`, people have the roles that `groups` gives them, and see a project only once a group is mapped to it.'
      }),
      groups: z.array(GroupMapping).max(1000).meta({ description: 'Which role each group of the provider gives.' })
    })
  })
  .meta({
    id: 'OrganizationSettings',
    example: { permissions: { mode: 'full', controlledBy: 'burgee', groups: [] } }
  })
export type OrganizationSettings = z.infer<typeof OrganizationSettings>

/** The body that changes the settings of the organization. */
export const UpdateOrganizationSettings = z
  .strictObject({ permissions: OrganizationSettings.shape.permissions.partial().strict() })
  .meta({ id: 'UpdateOrganizationSettings', example: { permissions: { mode: 'full' } } })
export type UpdateOrganizationSettings = z.infer<typeof UpdateOrganizationSettings>

/** A key that signs access tokens. */
export const SigningKey = z
  .object({
    kid: z.string(),
    createdAt: DateTime,
    retiredAt: DateTime.exactOptional().meta({ description: 'Since when another one signs; it still verifies.' })
  })
  .meta({ id: 'SigningKey', example: { kid: 'NzbLsXh8uDCcd', createdAt: '2026-03-01T12:00:00.000Z' } })
export type SigningKey = z.infer<typeof SigningKey>
