import { z } from 'zod'
import { DateTime, LineInput, Reference, UserReference } from '../common/fields.ts'
import { admin, ids, project } from '../examples/shop.ts'
import { PermissionModeName, RoleName } from './roleGrant.ts'

/** An organization: the owner of projects and members. */
export const Organization = z
  .object({ id: z.string(), name: z.string(), display_name: z.string() })
  .meta({ id: 'Organization', example: { id: project._organization, name: 'burgee', display_name: 'Burgee' } })
export type Organization = z.infer<typeof Organization>

/** A member of the organization. */
export const Member = z
  .object({
    user_id: UserReference,
    name: z.string(),
    email: z.string().meta({
      description: 'Empty if unknown, and for callers without `organization:write:settings`, except their own.'
    }),
    isEmailVerified: z.literal(false).exactOptional().meta({
      description: 'Present if the address comes from an identity provider that has not verified it.'
    }),
    picture: z.string().meta({ description: 'URL of a picture, or empty.' })
  })
  .meta({ id: 'Member', example: { user_id: admin, name: 'burgee-admin', email: '', picture: '' } })
export type Member = z.infer<typeof Member>

const groupMapping = {
  group: z.string().min(1).max(200).meta({ description: 'The name of the group at the identity provider.' }),
  role: RoleName,
  project: Reference.exactOptional().meta({ description: 'Key or id of a project; responses have the id.' })
}

const GroupMapping = z
  .strictObject(groupMapping)
  .meta({ id: 'GroupMapping', example: { group: 'shop-team', role: 'publisher', project: ids.project } })

/** Earlier versions stored names of groups with control characters. */
const GroupMappingInput = z
  .strictObject({
    ...groupMapping,
    group: LineInput.min(1).max(200).meta({ description: 'The name of the group at the identity provider.' })
  })
  .refine(({ role, project }) => project === undefined || !role.startsWith('organization_'), {
    path: ['project'],
    error: 'should not be given with a role of the organization'
  })

/** The settings of the organization (docs/guides/access-control.md). */
export const OrganizationSettings = z
  .object({
    permissions: z.object({
      mode: PermissionModeName.meta({
        description:
          '`flat`: everyone has all permissions. `basic`: one role for all projects. `full`: also roles per project.'
      }),
      controlledBy: z.enum(['burgee', 'identityProvider']).meta({
        description:
          'Where roles are managed. With `identityProvider`, users have the roles of their `groups`, and see only projects to which a group is mapped.'
      }),
      groups: z.array(GroupMapping).max(1000).meta({
        description: 'The mapping of groups to roles. Groups are those of the identity provider, from sign-ins or SCIM.'
      })
    }),
    secondFactor: z.enum(['optional', 'required']).meta({
      description: 'Whether people who sign in with a password need a second factor. See docs/guides/second-factor.md.'
    })
  })
  .meta({
    id: 'OrganizationSettings',
    example: { permissions: { mode: 'full', controlledBy: 'burgee', groups: [] }, secondFactor: 'optional' }
  })
export type OrganizationSettings = z.infer<typeof OrganizationSettings>

/** The body that updates the settings of the organization. */
export const UpdateOrganizationSettings = z
  .strictObject({
    permissions: OrganizationSettings.shape.permissions
      .extend({ groups: z.array(GroupMappingInput).max(1000) })
      .partial()
      .strict()
      .meta({ description: 'The mode of permissions, and where roles are managed: `{mode, controlledBy, groups}`.' }),
    secondFactor: OrganizationSettings.shape.secondFactor
  })
  .partial()
  .meta({ id: 'UpdateOrganizationSettings', example: { permissions: { mode: 'full' } } })
export type UpdateOrganizationSettings = z.infer<typeof UpdateOrganizationSettings>

/** A key that signs access tokens. */
export const SigningKey = z
  .object({
    kid: z.string(),
    createdAt: DateTime,
    retiredAt: DateTime.exactOptional().meta({
      description:
        'The time at which another key replaced it. Retired keys still verify tokens that were issued before.'
    })
  })
  .meta({ id: 'SigningKey', example: { kid: 'NzbLsXh8uDCcd', createdAt: '2026-03-01T12:00:00.000Z' } })
export type SigningKey = z.infer<typeof SigningKey>
