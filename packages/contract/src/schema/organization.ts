import { z } from 'zod'
import { admin, project } from './examples/shop.ts'
import { UserReference } from './fields.ts'

/** What projects and members belong to. */
export const Organization = z
  .object({ id: z.string(), name: z.string(), display_name: z.string() })
  .meta({ id: 'Organization', example: { id: project._organization, name: 'burgee', display_name: 'Burgee' } })
export type Organization = z.infer<typeof Organization>

/** Someone who has signed in to the organization. */
export const Member = z
  .object({
    user_id: UserReference,
    name: z.string(),
    email: z.string().meta({ description: 'Empty when it is not known.' }),
    picture: z.string().meta({ description: 'Address of a picture; empty when there is none.' })
  })
  .meta({ id: 'Member', example: { user_id: admin, name: 'burgee-admin', email: '', picture: '' } })
export type Member = z.infer<typeof Member>
