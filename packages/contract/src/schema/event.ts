import { z } from 'zod'
import { User } from './user.ts'

/** Something a user did, as an application reports it. */
export const Event = z
  .looseObject({
    type: z.string().min(1, 'should not be empty').meta({ description: 'The kind of event.', example: 'purchase' }),
    target: z.string().nullish().meta({ description: 'What the event is about.' }),
    date: z.number().nullish().meta({ description: 'Epoch milliseconds, by the clock of the client.' }),
    value: z.number().nullish(),
    metaData: z.record(z.string(), z.unknown()).nullish()
  })
  .meta({ id: 'Event' })
export type Event = z.infer<typeof Event>

/** The body of the track operation: what one user did. */
export const Track = z
  .looseObject({ user: User, events: z.array(Event) })
  .meta({ id: 'Track', example: { user: { user_id: 'ada' }, events: [{ type: 'purchase', value: 12.5 }] } })
export type Track = z.infer<typeof Track>
