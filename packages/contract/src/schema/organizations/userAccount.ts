import { z } from 'zod'
import { DateTime, Name, NameInput, recordFields, UserReference } from '../common/fields.ts'
import { admin, ids, reviewer, timestamps } from '../examples/shop.ts'
import { RoleGrants } from './roleGrant.ts'

/** The minimum length of a password, in characters. */
export const MIN_PASSWORD_LENGTH = 12
/** The maximum length of a password, in characters. */
export const MAX_PASSWORD_LENGTH = 256

/** The password of a user. The server also refuses common passwords, and the name and address of the user. */
export const Password = z.string().min(MIN_PASSWORD_LENGTH).max(MAX_PASSWORD_LENGTH).meta({
  id: 'Password',
  description: 'Must not be a common password, or the name or e-mail address of the user.',
  example: 'correct horse battery staple'
})

/** The longest e-mail address, in characters (RFC 5321). */
export const MAX_EMAIL_LENGTH = 254

const Email = z
  .email('should be an e-mail address such as ada@example.com')
  .max(MAX_EMAIL_LENGTH)
  .meta({ description: 'Unique in the organization, regardless of case.' })

const ada = {
  _id: ids.user,
  ...timestamps,
  user_id: reviewer,
  email: 'ada@example.com',
  isEmailVerified: true,
  name: 'Ada',
  picture: '',
  roles: [{ role: 'publisher' }],
  isDisabled: false,
  isProvisioned: false,
  mustChangePassword: false,
  hasPassword: true,
  _createdBy: admin
}

/** The members of an account that administrators need and others do not. */
const FULL_ONLY = 'Only for callers with `organization:write:settings`, and for the user themselves.'

/** A user account of the organization. */
export const UserAccount = z
  .object({
    ...recordFields,
    user_id: UserReference.meta({ description: 'The id in `_createdBy`, audit entries and tokens.' }),
    email: Email.exactOptional().meta({ description: FULL_ONLY }),
    isEmailVerified: z
      .boolean()
      .exactOptional()
      .meta({
        description: `false if the address comes from an identity provider that has not verified it: it may belong to another person. ${FULL_ONLY}`
      }),
    name: Name,
    picture: z.string().meta({ description: 'URL of a picture, or empty.' }),
    roles: RoleGrants.meta({
      description: 'The roles granted in Burgee. Groups of an identity provider may grant others.'
    }),
    groups: z
      .array(z.string())
      .exactOptional()
      .meta({
        description: `The groups that SCIM provisioned, or otherwise those from the last sign-in through the identity provider. ${FULL_ONLY}`
      }),
    isDisabled: z.boolean().meta({ description: 'Whether sign-in and all tokens of the user are refused.' }),
    isProvisioned: z.boolean().meta({
      description: 'Whether SCIM manages the name, the e-mail address and the status of the user.'
    }),
    mustChangePassword: z
      .boolean()
      .exactOptional()
      .meta({ description: `Whether the user must change the password at the next sign-in. ${FULL_ONLY}` }),
    hasPassword: z
      .boolean()
      .exactOptional()
      .meta({ description: `false if the user signs in only through the identity provider. ${FULL_ONLY}` }),
    lastLoginAt: DateTime.exactOptional().meta({ description: `The last sign-in. ${FULL_ONLY}` }),
    _createdBy: UserReference
  })
  .meta({
    id: 'UserAccount',
    example: ada
  })
export type UserAccount = z.infer<typeof UserAccount>

/** The body that creates a user. */
export const CreateUserAccount = z
  .strictObject({
    email: Email,
    name: NameInput,
    roles: RoleGrants.exactOptional().meta({ description: 'Default: member of the organization.' }),
    password: Password.exactOptional().meta({
      description:
        'An initial password, to be changed at the first sign-in. If omitted, one is generated and returned once.'
    })
  })
  .meta({
    id: 'CreateUserAccount',
    example: { email: 'ada@example.com', name: 'Ada', roles: [{ role: 'publisher' }] }
  })
export type CreateUserAccount = z.infer<typeof CreateUserAccount>

/** A new user with the generated password. */
export const CreatedUserAccount = UserAccount.extend({
  password: z.string().exactOptional().meta({ description: 'Present if the request has none. Cannot be read again.' })
}).meta({ id: 'CreatedUserAccount', example: { ...ada, password: 'made-up-and-shown-once' } })

/** The body that updates a user. */
export const UpdateUserAccount = z
  .strictObject({
    name: NameInput,
    roles: RoleGrants.meta({ description: 'Replaces all roles.' }),
    isDisabled: z.boolean().meta({ description: 'Refuses sign-in and all tokens of the user.' })
  })
  .partial()
  .meta({ id: 'UpdateUserAccount', example: { isDisabled: true } })
export type UpdateUserAccount = z.infer<typeof UpdateUserAccount>

/** The body that resets the password of a user. */
export const ResetPassword = z
  .strictObject({ password: Password.exactOptional() })
  .meta({ id: 'ResetPassword', example: {} })

/** The generated password of a user. */
export const PasswordReset = z
  .object({ password: z.string().exactOptional().meta({ description: 'Present if the request has none.' }) })
  .meta({ id: 'PasswordReset', example: { password: 'made-up-and-shown-once' } })

/** The body that changes the password of the caller. */
export const ChangePassword = z
  .strictObject({ currentPassword: z.string().max(MAX_PASSWORD_LENGTH), newPassword: Password })
  .meta({
    id: 'ChangePassword',
    example: { currentPassword: 'made-up-and-shown-once', newPassword: 'correct horse battery staple' }
  })
