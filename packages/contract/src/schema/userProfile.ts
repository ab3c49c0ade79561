import { z } from 'zod'
import { admin, ids, timestamps } from './examples/shop.ts'
import { Id, recordFields, UserReference } from './fields.ts'

/** Who a member of the team is as a user of the project's applications. */
export const UserProfile = z
  .object({
    ...recordFields,
    _project: Id,
    idp_user: UserReference,
    svcUserId: z
      .string()
      .max(200)
      .nullable()
      .meta({ description: 'The `user_id` that the member has there; null when it is not known.' })
  })
  .meta({
    id: 'UserProfile',
    example: { _id: ids.userProfile, ...timestamps, _project: ids.project, idp_user: admin, svcUserId: 'ada' }
  })
export type UserProfile = z.infer<typeof UserProfile>

/** The body that says who the caller is. */
export const UpdateUserProfile = UserProfile.pick({ svcUserId: true })
  .partial()
  .strict()
  .meta({ id: 'UpdateUserProfile', example: { svcUserId: 'ada' } })
export type UpdateUserProfile = z.infer<typeof UpdateUserProfile>
