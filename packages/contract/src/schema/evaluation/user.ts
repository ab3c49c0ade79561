import type * as core from '@burgee/core'
import { z } from 'zod'
import { isCountry, isLanguage } from '../common/isoCodes.ts'
import { RESERVED_KEYS } from '../common/key.ts'
import { UserHash } from './userHash.ts'

/**
 * The maximum size of the stored custom data of a user, in characters of JSON. Limited because client keys, which are
 * public, can write it.
 */
export const MAX_CUSTOM_DATA_LENGTH = 16_384

/**
 * The maximum length of a text of a user in an evaluation, in UTF-16 code units. Filters compare texts again for each
 * feature, and client keys, which are public, can evaluate all features.
 */
export const MAX_TEXT_LENGTH = 16_384

/** The maximum length of a version of a user in an evaluation. */
export const MAX_VERSION_LENGTH = 200

/** The maximum number of attributes of a user in a request, which bounds the time of validation. */
export const MAX_ATTRIBUTES = 1000

const TOO_MANY = `should have at most ${MAX_ATTRIBUTES} members`

/** The id of a user. */
export const UserId = z
  .string()
  .min(1, 'should not be empty')
  .max(MAX_TEXT_LENGTH)
  .refine((id) => id.trim() !== '', 'should not be blank')
  .meta({ description: 'The unique id of the user.', example: 'ada' })

/** An ISO 639-1 language code, case-insensitive. */
export const Language = z
  .string()
  .max(2)
  .refine(isLanguage, 'should be an ISO 639-1 language code')
  .meta({ example: 'en' })

/** An ISO 3166-1 alpha-2 country code, case-insensitive here. Targeting is case-sensitive. */
export const Country = z
  .string()
  .max(2)
  .refine(isCountry, 'should be an ISO 3166-1 alpha-2 country code')
  .meta({ example: 'CA' })

/**
 * Flat attributes of a user. Counted first and reported as a single issue, since formatting thousands of issues is
 * slow.
 */
export const CustomData = z
  .custom<core.CustomData>(isWithinAttributeLimit, { error: TOO_MANY, abort: true })
  .refine(isFlat, 'should be an object of strings, numbers, booleans and nulls')
  .meta({
    id: 'CustomData',
    type: 'object',
    additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
    maxProperties: MAX_ATTRIBUTES,
    example: { plan: 'pro', seats: 12 }
  })

/** `CustomData`, or its JSON text, which some SDKs send. */
const CustomDataOrText = z.union(
  [
    z
      .string()
      .refine(isCustomDataText, `should be the JSON text of a flat object of at most ${MAX_ATTRIBUTES} members`),
    CustomData
  ],
  { error: () => 'should be an object of strings, numbers, booleans and nulls' }
)

const TIMESTAMP_EXPECTED = 'should be epoch milliseconds or a date-time'

/** Custom data of an evaluation. */
const AttributesOrText = CustomDataOrText.refine(
  hasShortTexts,
  `should have texts of at most ${MAX_TEXT_LENGTH} characters`
)

/** Epoch milliseconds as a number or string, or a date-time. 0 and the empty string mean no value. */
export const Timestamp = z.union([z.number(), z.string().refine(isTimestamp, TIMESTAMP_EXPECTED)], {
  error: () => TIMESTAMP_EXPECTED
})

/** A boolean, or its name as a string. */
export const BooleanOrText = z.union([z.boolean(), z.literal(['true', 'false'])], {
  error: () => 'should be a boolean'
})

const Text = z.string().max(MAX_TEXT_LENGTH)
const Version = z.string().max(MAX_VERSION_LENGTH)

/** The user of an evaluation. `null` is the same as an omitted member; unknown members are allowed. */
export const User = z
  .looseObject({
    user_id: UserId,
    email: Text.nullish(),
    name: Text.nullish(),
    language: Language.nullish(),
    country: Country.nullish(),
    appVersion: Version.nullish(),
    appBuild: z
      .union([z.number(), z.string().refine(isNumeric, 'should be a number')], { error: () => 'should be a number' })
      .nullish(),
    customData: AttributesOrText.nullish().meta({ description: 'Attributes for targeting. May be logged.' }),
    privateCustomData: AttributesOrText.nullish().meta({ description: 'Attributes for targeting. Never logged.' }),
    createdDate: Timestamp.nullish(),
    lastSeenDate: Timestamp.nullish(),
    platform: Text.nullish(),
    platformVersion: Version.nullish(),
    deviceModel: Text.nullish(),
    sdkType: z.enum(['api', 'server', 'client', 'mobile']).nullish(),
    sdkVersion: Version.nullish(),
    isAnonymous: BooleanOrText.nullish()
  })
  .meta({ id: 'User', example: { user_id: 'ada', country: 'CA', customData: { plan: 'pro' } } })
export type User = z.infer<typeof User>

/**
 * Whether `User` accepts a value unchanged, for the users that most requests send: eight times as fast as the schema.
 * False does not mean that the value is invalid.
 */
export function isPlainUser(value: unknown): value is User {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  if (!('user_id' in value) || value.user_id === null) return false
  for (const [name, member] of Object.entries(value)) {
    if (member === null) continue
    const isPlain = plainMembers.get(name)
    if (isPlain ? !isPlain(member) : name in User.shape) return false
  }
  return true
}

/** Whether a value is a string within the limits of attributes. */
export const isPlainText = (value: unknown) => typeof value === 'string' && value.length <= MAX_TEXT_LENGTH
/** Whether a value is a version within the limits of attributes. */
export const isPlainVersion = (value: unknown) => typeof value === 'string' && value.length <= MAX_VERSION_LENGTH
const isPlainData = (value: unknown) =>
  isWithinAttributeLimit(value) && isFlat(value) && hasShortTexts(value as core.CustomData)

/** The checks of the members of plain users. All other members are validated by the schema. */
export const plainMembers: ReadonlyMap<string, (value: unknown) => boolean> = new Map(
  Object.entries({
    user_id: (id) => typeof id === 'string' && id.length <= MAX_TEXT_LENGTH && id.trim() !== '',
    email: isPlainText,
    name: isPlainText,
    language: (code) => typeof code === 'string' && code.length <= 2 && isLanguage(code),
    country: (code) => typeof code === 'string' && code.length <= 2 && isCountry(code),
    appVersion: isPlainVersion,
    appBuild: (build) => Number.isFinite(build),
    customData: isPlainData,
    privateCustomData: isPlainData,
    platform: isPlainText,
    platformVersion: isPlainVersion,
    deviceModel: isPlainText,
    isAnonymous: (flag) => typeof flag === 'boolean'
  } satisfies Partial<Record<keyof User, (value: unknown) => boolean>>)
)

/** Stored properties of a user (docs/reference/delivery.md#edge-data). Other members are ignored. */
export const EdgeUser = z
  .looseObject({
    user_id: UserId,
    userHash: UserHash.nullish(),
    email: z.string().nullish(),
    name: z.string().nullish(),
    language: z.union([Language, codes(isLanguage, 'an ISO 639-1 language code')]).nullish(),
    country: z.union([Country, codes(isCountry, 'an ISO 3166-1 alpha-2 country code')]).nullish(),
    customData: CustomDataOrText.nullish().meta({
      description: `Merged with the stored data; \`null\` removes a member. At most ${MAX_CUSTOM_DATA_LENGTH} characters of JSON in total.`
    }),
    lastSeenDate: Timestamp.nullish()
  })
  .meta({ id: 'EdgeUser', example: { user_id: 'ada', customData: { plan: 'pro' } } })
export type EdgeUser = z.infer<typeof EdgeUser>

/** An object of codes, reported as a single issue. */
function codes(isCode: (text: string) => boolean, wanted: string) {
  return z
    .custom<Readonly<Record<string, string>>>(isWithinAttributeLimit, { error: TOO_MANY, abort: true })
    .refine(
      (data) => isFlat(data) && Object.values(data).every((code) => typeof code === 'string' && isCode(code)),
      `should be ${wanted}, or an object of them`
    )
    .meta({ type: 'object', additionalProperties: { type: 'string' }, maxProperties: MAX_ATTRIBUTES })
}

/** Whether a value has at most `MAX_ATTRIBUTES` members. Values other than objects have none. */
export function isWithinAttributeLimit(data: unknown): boolean {
  return typeof data !== 'object' || data === null || Object.keys(data).length <= MAX_ATTRIBUTES
}

function isFlat(data: unknown): boolean {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return false
  return Object.values(data).every(
    (value) => value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)
  )
}

/** Whether a text is the JSON of custom data within the limits of attributes. */
export const isPlainDataText = (text: unknown) =>
  typeof text === 'string' && isCustomDataText(text) && hasShortTexts(text)

function isCustomDataText(text: string): boolean {
  try {
    const data: unknown = JSON.parse(text)
    return isWithinAttributeLimit(data) && isFlat(data) && hasSafeMembers(data as object)
  } catch {
    return false
  }
}

/** Whether each text of valid custom data is within `MAX_TEXT_LENGTH`. */
function hasShortTexts(data: core.CustomData | string): boolean {
  if (typeof data === 'string') return data.length <= MAX_TEXT_LENGTH || hasShortTexts(JSON.parse(data))
  return Object.values(data).every((value) => typeof value !== 'string' || value.length <= MAX_TEXT_LENGTH)
}

/** Checks JSON inside a string, which the checks of request bodies do not cover. */
function hasSafeMembers(data: object): boolean {
  return Object.entries(data).every(
    ([name, value]) => !RESERVED_KEYS.includes(name) && !/[\0\p{Surrogate}]/u.test(`${name}${value}`)
  )
}

/** Whether a text is a number. */
export function isNumeric(text: string): boolean {
  return text.trim() !== '' && Number.isFinite(Number(text))
}

/** Whether a text is a timestamp, or empty. */
export function isTimestamp(text: string): boolean {
  return text === '' || Number.isFinite(Number(text)) || !Number.isNaN(Date.parse(text))
}
