import { z } from 'zod'
import { DateTime, Id } from '../common/fields.ts'
import { createdAt, ids } from '../examples/shop.ts'

const Writer = z.enum(['server', 'client']).meta({
  description: 'The keys that wrote it: server keys, or client and mobile keys.'
})

const place = { environment: Id.meta({ description: 'Id of the environment.' }) }

/** What is stored about one user of an application: one part of it. */
export const UserDataRecord = z
  .discriminatedUnion('type', [
    z.object({
      type: z.literal('user'),
      user_id: z.string(),
      userHash: z.string().exactOptional().meta({
        description: 'The keyed hash of the user id in audit entries. Present once data of any user was erased.'
      })
    }),
    z.object({
      type: z.literal('edgeData'),
      writtenBy: Writer,
      data: z.record(z.string(), z.unknown()),
      createdAt: DateTime,
      updatedAt: DateTime
    }),
    z.object({
      ...place,
      type: z.literal('optIns'),
      writtenBy: Writer,
      choices: z.record(z.string(), z.boolean()),
      createdAt: DateTime,
      updatedAt: DateTime
    }),
    z.object({
      ...place,
      type: z.literal('override'),
      feature: Id.meta({ description: 'Id of the feature.' }),
      variation: Id.meta({ description: 'Id of the variation.' }),
      idp_user: z.string().meta({ description: 'The member who made it.' })
    }),
    z.object({
      type: z.literal('profile'),
      idp_user: z.string().meta({ description: 'The member who uses this user id.' })
    }),
    z.object({ ...place, type: z.literal('exposure'), date: DateTime, data: z.record(z.string(), z.unknown()) }),
    z.object({ ...place, type: z.literal('event'), date: DateTime, data: z.record(z.string(), z.unknown()) })
  ])
  .meta({
    id: 'UserDataRecord',
    description: 'One record of the stored data of a user.',
    example: {
      type: 'edgeData',
      writtenBy: 'server',
      data: { country: 'CA', customData: { plan: 'pro' } },
      createdAt,
      updatedAt: createdAt
    }
  })
export type UserDataRecord = z.infer<typeof UserDataRecord>

/** What an erasure removed. */
export const UserDataErasure = z
  .object({
    userHash: z.string().meta({ description: 'The keyed hash of the user id in the audit entry.' }),
    edgeData: z.int().meta({ description: 'Number of removed records of properties.' }),
    optIns: z.int().meta({ description: 'Number of removed records of opt-in choices.' }),
    otherUsers: z.int().meta({ description: 'Number of other users whose custom data had the id as a value.' }),
    overrides: z.int().meta({ description: 'Number of removed overrides.' }),
    events: z.int().meta({ description: 'Number of exposures and events in which a random id replaced the id.' })
  })
  .meta({
    id: 'UserDataErasure',
    example: { userHash: `hmac-sha256:${ids.user}`, edgeData: 1, optIns: 2, otherUsers: 0, overrides: 0, events: 41 }
  })
export type UserDataErasure = z.infer<typeof UserDataErasure>
