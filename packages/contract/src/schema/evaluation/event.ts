import { z } from 'zod'
import { sdkTypes } from '../../operation.ts'
import { MAX_CUSTOM_DATA_LENGTH, Timestamp, User, UserId } from './user.ts'
import { UserHash } from './userHash.ts'

/** The maximum number of events of one request. The default of SDKs is 100. */
export const MAX_EVENTS = 10_000

/** The maximum number of issues that a response lists. */
export const MAX_REPORTED_ISSUES = 20

/** The longest idempotency key, in characters. */
export const MAX_IDEMPOTENCY_KEY_LENGTH = 256

/** The longest string in an event, in characters. */
const MAX_TEXT_LENGTH = 1000

/** The longest user id of events, in characters. */
export const MAX_USER_ID_LENGTH = 1000

/** The largest metadata of an event, in characters of JSON. */
export const MAX_METADATA_LENGTH = 32_768

/** The maximum number of features in the variations of an event. */
const MAX_FEATURES = 10_000

const Text = z.string().max(MAX_TEXT_LENGTH)

/** A schema of each member would take longer than all other checks. */
const MetaData = z
  .custom<Record<string, unknown>>(isObject, { error: 'should be an object', abort: true })
  .refine(
    (data) => JSON.stringify(data).length <= MAX_METADATA_LENGTH,
    `should take at most ${MAX_METADATA_LENGTH} characters of JSON`
  )
  .meta({
    type: 'object',
    propertyNames: { type: 'string' },
    additionalProperties: {},
    description: `At most ${MAX_METADATA_LENGTH} characters of JSON.`
  })

/** Reports one issue for all members, since formatting thousands of issues is slow. */
const FeatureVars = z
  .custom<Readonly<Record<string, string>>>(
    isFeatureVars,
    `should be an object of at most ${MAX_FEATURES} strings, each of at most ${MAX_TEXT_LENGTH} characters`
  )
  .meta({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: `Ids of features and of the variations that the user got. At most ${MAX_FEATURES}.`
  })

/** An event of an SDK (docs/reference/events.md). `null` is the same as an omitted member. */
export const SdkEvent = z
  .looseObject({
    type: Text.min(1, 'should not be empty').meta({ description: 'The event type.', example: 'customEvent' }),
    customType: Text.nullish().meta({ description: 'The type within the application, if `type` is `customEvent`.' }),
    target: Text.nullish().meta({ description: 'The subject of the event; for evaluations, the variable key.' }),
    user_id: Text.nullish().meta({ description: 'The user of the request.' }),
    date: Timestamp.nullish().meta({ description: 'When the event happened, by the clock of the client.' }),
    clientDate: Timestamp.nullish().meta({ description: 'When the SDK recorded the event.' }),
    value: z.number().nullish().meta({
      description:
        'For `variableEvaluated`, `variableDefaulted`, `aggVariableEvaluated` and `aggVariableDefaulted`: the number of evaluations, a whole number up to 1,000,000,000. With 0, the first two types record the user only.'
    }),
    featureVars: FeatureVars.nullish(),
    metaData: MetaData.nullish()
  })
  .meta({ id: 'SdkEvent' })
export type SdkEvent = z.infer<typeof SdkEvent>

/**
 * Whether `SdkEvent` accepts a value unchanged, for the events that most SDKs send: far faster than the schema. False
 * does not mean that the value is invalid. A plain event has known members only, and nests at most four levels deep.
 */
export function isPlainEvent(value: unknown): value is SdkEvent {
  return hasPlainMembers(value, plainMembers) && isPlainText(value.type) && value.type !== ''
}

/** Whether all members of an object are `null`, or known and plain. */
function hasPlainMembers(
  value: unknown,
  members: ReadonlyMap<string, (value: unknown) => boolean>
): value is Readonly<Record<string, unknown>> {
  if (!isObject(value)) return false
  for (const name in value) {
    const isPlain = members.get(name)
    const member = (value as Readonly<Record<string, unknown>>)[name]
    if (!isPlain || !(member === null || isPlain(member))) return false
  }
  return true
}

function isPlainText(value: unknown): boolean {
  return typeof value === 'string' && value.length <= MAX_TEXT_LENGTH
}

/** Whether a value is metadata of two levels whose JSON cannot be too long. */
function isPlainMetaData(value: unknown): boolean {
  return isObject(value) && maxJsonLength(value, 2) <= MAX_METADATA_LENGTH
}

/** Returns a length that the JSON of a value does not exceed; infinity for values that are not plain. */
function maxJsonLength(value: unknown, levels: number): number {
  if (typeof value === 'string') return value.length * MAX_CHARACTER_LENGTH + 2
  if (typeof value === 'number') return Number.isFinite(value) ? MAX_NUMBER_LENGTH : Number.POSITIVE_INFINITY
  if (value === null || typeof value === 'boolean') return 5
  if (!isObject(value) || levels === 0) return Number.POSITIVE_INFINITY
  let length = 2
  for (const name in value) {
    const member = (value as Readonly<Record<string, unknown>>)[name]
    length += name.length * MAX_CHARACTER_LENGTH + 4 + maxJsonLength(member, levels - 1)
    if (length > MAX_METADATA_LENGTH) break
  }
  return length
}

/** A character that is escaped, for example \u0000. */
const MAX_CHARACTER_LENGTH = 6

/** At least the length of every number, such as -1.2345678901234567e-100. */
const MAX_NUMBER_LENGTH = 25

/** The checks of the members of plain events. */
const plainMembers: ReadonlyMap<string, (value: unknown) => boolean> = new Map(
  Object.entries({
    type: isPlainText,
    customType: isPlainText,
    target: isPlainText,
    user_id: isPlainText,
    date: Number.isFinite,
    clientDate: Number.isFinite,
    value: Number.isFinite,
    featureVars: isFeatureVars,
    metaData: isPlainMetaData
  } satisfies Record<keyof SdkEvent, (value: unknown) => boolean>)
)

const customData = User.shape.customData.meta({ description: `At most ${MAX_CUSTOM_DATA_LENGTH} characters of JSON.` })

/**
 * The user of events. Stored attributes are those by which results are grouped; private custom data is never stored.
 */
export const EventUser = z
  .looseObject({
    user_id: UserId.max(MAX_USER_ID_LENGTH),
    userHash: UserHash.nullish(),
    customData,
    platform: Text.nullish(),
    sdkType: User.shape.sdkType,
    sdkVersion: Text.nullish()
  })
  .meta({ id: 'EventUser' })
export type EventUser = z.infer<typeof EventUser>

/** The attributes of a user of events that are stored, without custom data. */
type StoredAttributes = Pick<EventUser, 'user_id' | 'platform' | 'sdkType' | 'sdkVersion'>

/**
 * Whether `EventUser` accepts the stored attributes of a user unchanged, with any other members: far faster than
 * the schema. False does not mean that they are invalid.
 */
export function hasPlainAttributes(user: Readonly<Record<string, unknown>>): user is StoredAttributes & typeof user {
  const { user_id, platform, sdkType, sdkVersion } = user
  return (
    typeof user_id === 'string' &&
    user_id.length <= MAX_USER_ID_LENGTH &&
    user_id.trim() !== '' &&
    (isAbsent(platform) || isPlainText(platform)) &&
    (isAbsent(sdkType) || sdkTypes.some((type) => type === sdkType)) &&
    (isAbsent(sdkVersion) || isPlainText(sdkVersion))
  )
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null
}

/** An event of an application. */
export const Event = SdkEvent.omit({ user_id: true })
  .extend({
    type: SdkEvent.shape.type.meta({ example: 'purchase' }),
    date: z.number().nullish().meta({ description: 'Epoch milliseconds, by the clock of the client.' })
  })
  .meta({ id: 'Event' })
export type Event = z.infer<typeof Event>

/** The body of `track`: events of one user. */
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

/** The body with which client SDKs send events of one user. */
export const SdkEvents = z
  .looseObject({ user: EventUser, events: z.array(SdkEvent).max(MAX_EVENTS) })
  .meta({ id: 'SdkEvents', example: { user: { user_id: 'ada' }, events: [purchase] } })
export type SdkEvents = z.infer<typeof SdkEvents>

/** The body with which server SDKs send events of several users. */
export const SdkEventBatches = z
  .looseObject({ batch: z.array(SdkEvents).meta({ description: `At most ${MAX_EVENTS} events together.` }) })
  .meta({ id: 'SdkEventBatches', example: { batch: [{ user: { user_id: 'ada' }, events: [purchase] }] } })
export type SdkEventBatches = z.infer<typeof SdkEventBatches>

/** The result of sending events. */
export const EventsReceived = z
  .object({
    message: z.string(),
    accepted: z.int().meta({ description: 'Number of accepted events.' }),
    refused: z.int().meta({ description: 'Number of refused events. Retrying them has the same result.' }),
    mistakes: z
      .array(z.object({ path: z.string().meta({ description: 'Path in the request body.' }), message: z.string() }))
      .meta({
        description: `The reasons why events were refused or attributes of users ignored. The first ${MAX_REPORTED_ISSUES} issues.`
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

/** The header that identifies a payload when it is sent again. */
export const PayloadHeaders = z.object({
  'idempotency-key': z
    .string()
    .optional()
    .meta({
      description: `Unique to the payload and the same for each retry of it. At most ${MAX_IDEMPOTENCY_KEY_LENGTH} characters.`
    })
})

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isFeatureVars(value: unknown): boolean {
  if (!isObject(value)) return false
  let count = 0
  for (const text of Object.values(value)) {
    if (++count > MAX_FEATURES || typeof text !== 'string' || text.length > MAX_TEXT_LENGTH) return false
  }
  return true
}
