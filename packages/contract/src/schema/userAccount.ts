import { z } from 'zod'
import { admin, ids, reviewer, timestamps } from './examples/shop.ts'
import { DateTime, Name, recordFields, UserReference } from './fields.ts'
import { RoleGrants } from './roleGrant.ts'

/** The fewest characters that a password has. */
export const MIN_PASSWORD_LENGTH = 12
/** The most characters that a password has. */
export const MAX_PASSWORD_LENGTH = 256

/** What someone signs in with. What else is asked of it is for the server to say, which knows whose it is. */
export const Password = z.string().min(MIN_PASSWORD_LENGTH).max(MAX_PASSWORD_LENGTH).meta({
  id: 'Password',
  description: 'Not one that many use, and not the address or name of its owner.',
  example: 'correct horse battery staple'
})

/** How long an e-mail address can be, in characters (RFC 5321). */
export const MAX_EMAIL_LENGTH = 254

const Email = z
  .email('should be an e-mail address as in ada@example.com')
  .max(MAX_EMAIL_LENGTH)
  .meta({ description: 'Unique in the organization; upper and lower case are the same.' })

const ada = {
  _id: ids.user,
  ...timestamps,
  user_id: reviewer,
  email: 'ada@example.com',
  name: 'Ada',
  picture: '',
  roles: [{ role: 'publisher' }],
  isDisabled: false,
  mustChangePassword: false,
  hasPassword: true,
  _createdBy: admin
}

/** A person of the organization, who can sign in. */
export const UserAccount = z
  .object({
    ...recordFields,
    user_id: UserReference.meta({ description: 'As `_createdBy`, audit entries and tokens name them.' }),
    email: Email,
    name: Name,
    picture: z.string().meta({ description: 'Address of a picture; empty when there is none.' }),
    roles: RoleGrants.meta({
      description: 'What was granted here; the groups of an identity provider may grant more.'
    }),
    groups: z
      .array(z.string())
      .exactOptional()
      .meta({ description: 'What the identity provider said at the last sign-in.' }),
    isDisabled: z.boolean().meta({ description: 'Whether signing in and every token of theirs is refused.' }),
    mustChangePassword: z
      .boolean()
      .meta({ description: 'Whether they have to choose a password of their own at the next sign-in.' }),
    hasPassword: z.boolean().meta({ description: 'false for those who sign in through the identity provider only.' }),
    lastLoginAt: DateTime.exactOptional(),
    _createdBy: UserReference
  })
  .meta({
    id: 'UserAccount',
    example: ada
  })
export type UserAccount = z.infer<typeof UserAccount>

/** The body that adds a person. */
export const CreateUserAccount = z
  .strictObject({
    email: Email,
    name: Name,
    roles: RoleGrants.exactOptional().meta({ description: 'Default: member of the organization.' }),
    password: Password.exactOptional().meta({
      description: 'To be replaced at the first sign-in. Without one, one is made up and answered this once.'
    })
  })
  .meta({
    id: 'CreateUserAccount',
    example: { email: 'ada@example.com', name: 'Ada', roles: [{ role: 'publisher' }] }
  })
export type CreateUserAccount = z.infer<typeof CreateUserAccount>

/** A person who was added, with the password that was made up for them. */
export const CreatedUserAccount = UserAccount.extend({
  password: z.string().exactOptional().meta({ description: 'Only when the request gave none; not shown again.' })
}).meta({ id: 'CreatedUserAccount', example: { ...ada, password: 'made-up-and-shown-once' } })

/** The body that changes a person. */
export const UpdateUserAccount = z
  .strictObject({
    name: Name,
    roles: RoleGrants.meta({ description: 'Replaces all of them.' }),
    isDisabled: z.boolean()
  })
  .partial()
  .meta({ id: 'UpdateUserAccount', example: { isDisabled: true } })
export type UpdateUserAccount = z.infer<typeof UpdateUserAccount>

/** The body that gives a person another password. */
export const ResetPassword = z
  .strictObject({ password: Password.exactOptional() })
  .meta({ id: 'ResetPassword', example: {} })

/** The password that was made up for a person. */
export const PasswordReset = z
  .object({ password: z.string().exactOptional().meta({ description: 'Only when the request gave none.' }) })
  .meta({ id: 'PasswordReset', example: { password: 'made-up-and-shown-once' } })

/** The body with which somebody replaces their own password. */
export const ChangePassword = z
  .strictObject({ currentPassword: z.string().max(MAX_PASSWORD_LENGTH), newPassword: Password })
  .meta({
    id: 'ChangePassword',
    example: { currentPassword: 'made-up-and-shown-once', newPassword: 'correct horse battery staple' }
  })
