import { z } from 'zod'
import { Id, recordFields, UserReference } from '../common/fields.ts'
import { admin, ids, timestamps } from '../examples/shop.ts'

/** The identity of a member in the applications of a project (docs/reference/management.md#self-targeting). */
export const UserProfile = z
  .object({
    ...recordFields,
    _project: Id,
    idp_user: UserReference,
    svcUserId: z
      .string()
      .max(200)
      .nullable()
      .meta({ description: 'The `user_id` of the member in the applications, or null.' })
  })
  .meta({
    id: 'UserProfile',
    example: { _id: ids.userProfile, ...timestamps, _project: ids.project, idp_user: admin, svcUserId: 'ada' }
  })
export type UserProfile = z.infer<typeof UserProfile>

/** The body that updates the user profile of the caller. */
export const UpdateUserProfile = UserProfile.pick({ svcUserId: true })
  .partial()
  .strict()
  .meta({ id: 'UpdateUserProfile', example: { svcUserId: 'ada' } })
export type UpdateUserProfile = z.infer<typeof UpdateUserProfile>
