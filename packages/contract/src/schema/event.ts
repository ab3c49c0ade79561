import { z } from 'zod'
import { MAX_CUSTOM_DATA_LENGTH, Timestamp, User, UserId } from './user.ts'

/** How many events one request can carry. SDKs send 100 at once unless they are told otherwise. */
export const MAX_EVENTS = 10_000

/** How many mistakes an answer tells. */
export const MAX_REPORTED_ISSUES = 20

/** The longest name of a payload. */
export const MAX_IDEMPOTENCY_KEY_LENGTH = 256

/** The longest text that is kept with an event. */
const MAX_TEXT_LENGTH = 1000

/** The longest id of a user whose events are kept. */
export const MAX_USER_ID_LENGTH = 1000

/** The most that one event can tell beside its own members, in characters of JSON. */
const MAX_METADATA_LENGTH = 32_768

/** The most features that an event can name. */
const MAX_FEATURES = 10_000

const Text = z.string().max(MAX_TEXT_LENGTH)

const MetaData = z
  .record(z.string(), z.unknown())
  .refine(
    (data) => JSON.stringify(data).length <= MAX_METADATA_LENGTH,
    `should take at most ${MAX_METADATA_LENGTH} characters of JSON`
  )
  .meta({ description: `At most ${MAX_METADATA_LENGTH} characters of JSON.` })

/** One mistake for all members, of which there can be a great many: telling each takes its time. */
const FeatureVars = z
  .custom<Readonly<Record<string, string>>>(
    isFeatureVars,
    `should be an object of at most ${MAX_FEATURES} texts, each of at most ${MAX_TEXT_LENGTH} characters`
  )
  .meta({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: `Id of each feature that the user got → id of the variation. At most ${MAX_FEATURES}.`
  })

/** Something a user did or an SDK counted, as SDKs send it. `null` says the same as leaving a member out. */
export const SdkEvent = z
  .looseObject({
    type: Text.min(1, 'should not be empty').meta({ description: 'The kind of event.', example: 'customEvent' }),
    customType: Text.nullish().meta({ description: "Of the type `customEvent`: the application's own word for it." }),
    target: Text.nullish().meta({ description: 'What the event is about; of an evaluation, the key of the variable.' }),
    user_id: Text.nullish().meta({ description: 'The user of the events it comes with.' }),
    date: Timestamp.nullish().meta({ description: 'When it happened, by the clock of the client.' }),
    clientDate: Timestamp.nullish().meta({ description: 'When the SDK noted it.' }),
    value: z.number().nullish().meta({
      description:
        'Of the types that tell of evaluations (`variableEvaluated`, `variableDefaulted`, `aggVariableEvaluated`, `aggVariableDefaulted`): how many there were, a whole number up to 1000000000; 0 of the first two tells of their user only.'
    }),
    featureVars: FeatureVars.nullish(),
    metaData: MetaData.nullish()
  })
  .meta({ id: 'SdkEvent' })
export type SdkEvent = z.infer<typeof SdkEvent>

const customData = User.shape.customData.meta({ description: `At most ${MAX_CUSTOM_DATA_LENGTH} characters of JSON.` })

/** Whose events they are. Of the attributes, those are kept that results are told apart by; private ones never. */
export const EventUser = z
  .looseObject({
    user_id: UserId.max(MAX_USER_ID_LENGTH),
    customData,
    platform: Text.nullish(),
    sdkType: User.shape.sdkType,
    sdkVersion: Text.nullish()
  })
  .meta({ id: 'EventUser' })
export type EventUser = z.infer<typeof EventUser>

/** Something a user did, as an application reports it. */
export const Event = SdkEvent.omit({ user_id: true })
  .extend({
    type: SdkEvent.shape.type.meta({ example: 'purchase' }),
    date: z.number().nullish().meta({ description: 'Epoch milliseconds, by the clock of the client.' })
  })
  .meta({ id: 'Event' })
export type Event = z.infer<typeof Event>

/** The body of the track operation: what one user did. */
export const Track = z
  .looseObject({ user: User.extend(EventUser.shape), events: z.array(Event).max(MAX_EVENTS) })
  .meta({ id: 'Track', example: { user: { user_id: 'ada' }, events: [{ type: 'purchase', value: 12.5 }] } })
export type Track = z.infer<typeof Track>

const purchase = {
  type: 'customEvent',
  customType: 'purchase',
  user_id: 'ada',
  clientDate: '2026-03-01T12:00:00.000Z',
  value: 12.5,
  featureVars: {}
}

/** What one user did: the body by which client SDKs send events. */
export const SdkEvents = z
  .looseObject({ user: EventUser, events: z.array(SdkEvent).max(MAX_EVENTS) })
  .meta({ id: 'SdkEvents', example: { user: { user_id: 'ada' }, events: [purchase] } })
export type SdkEvents = z.infer<typeof SdkEvents>

/** What several users did: the body by which server SDKs send events. */
export const SdkEventBatches = z
  .looseObject({ batch: z.array(SdkEvents).meta({ description: `At most ${MAX_EVENTS} events together.` }) })
  .meta({ id: 'SdkEventBatches', example: { batch: [{ user: { user_id: 'ada' }, events: [purchase] }] } })
export type SdkEventBatches = z.infer<typeof SdkEventBatches>

/** What became of events that were sent: how many were taken, and what was wrong with the others. */
export const EventsReceived = z
  .object({
    message: z.string(),
    accepted: z.int().meta({ description: 'How many events were taken.' }),
    refused: z.int().meta({ description: 'How many were not, and will not be if they are sent again.' }),
    mistakes: z
      .array(z.object({ path: z.string().meta({ description: 'Where in the body.' }), message: z.string() }))
      .meta({
        description: `Why events were refused, or attributes of users left out. The first ${MAX_REPORTED_ISSUES} mistakes.`
      })
  })
  .meta({
    id: 'EventsReceived',
    example: {
      message: 'Successfully received 1 event, refused 1',
      accepted: 1,
      refused: 1,
      mistakes: [{ path: 'batch[0].events[1]', message: 'type should not be empty, got ""' }]
    }
  })
export type EventsReceived = z.infer<typeof EventsReceived>

/** The header by which a payload is known when it is sent again. */
export const PayloadHeaders = z.object({
  'idempotency-key': z
    .string()
    .optional()
    .meta({
      description: `The same each time that a payload is sent again, and no other payload has it. At most ${MAX_IDEMPOTENCY_KEY_LENGTH} characters.`
    })
})

function isFeatureVars(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  let count = 0
  for (const text of Object.values(value)) {
    if (++count > MAX_FEATURES || typeof text !== 'string' || text.length > MAX_TEXT_LENGTH) return false
  }
  return true
}
