import type * as core from '@burgee/core'
import { z } from 'zod'
import { isCountry, isLanguage } from './isoCodes.ts'
import { RESERVED_KEYS } from './key.ts'

/** The most custom data that is kept of a user, in characters of JSON: clients with a public key can write it. */
export const MAX_CUSTOM_DATA_LENGTH = 16_384

/** The most attributes that a user can have in a request: each one that is looked at takes its time. */
export const MAX_ATTRIBUTES = 1000

const TOO_MANY = `should have at most ${MAX_ATTRIBUTES} members`

/** What tells one user from another. */
export const UserId = z
  .string()
  .min(1, 'should not be empty')
  .refine((id) => id.trim() !== '', 'should not be blank')
  .meta({ description: 'Unique id of the user.' })

/** ISO 639-1, in either case. */
export const Language = z
  .string()
  .max(2)
  .refine(isLanguage, 'should be an ISO 639-1 language code')
  .meta({ example: 'en' })

/** ISO 3166-1 alpha-2, in either case; targeting compares it as written. */
export const Country = z
  .string()
  .max(2)
  .refine(isCountry, 'should be an ISO 3166-1 alpha-2 country code')
  .meta({ example: 'CA' })

/** Attributes of a user, one level deep. They are counted before anything else, and all that is wrong with them is one mistake: telling each takes its time. */
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

/** `CustomData`, or its JSON text as some SDKs send it. */
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

/** Epoch milliseconds as a number or as text, or a date-time. 0 and the empty text say nothing. */
export const Timestamp = z.union([z.number(), z.string().refine(isTimestamp, TIMESTAMP_EXPECTED)], {
  error: () => TIMESTAMP_EXPECTED
})

/** Yes or no, as data or as text. */
export const BooleanOrText = z.union([z.boolean(), z.literal(['true', 'false'])], {
  error: () => 'should be a boolean'
})

/** Who is evaluated: the body of the evaluation operations. `null` says the same as leaving a member out; unknown members are kept. */
export const User = z
  .looseObject({
    user_id: UserId,
    email: z.string().nullish(),
    name: z.string().nullish(),
    language: Language.nullish(),
    country: Country.nullish(),
    appVersion: z.string().nullish(),
    appBuild: z
      .union([z.number(), z.string().refine(isNumeric, 'should be a number')], { error: () => 'should be a number' })
      .nullish(),
    customData: CustomDataOrText.nullish().meta({ description: 'Attributes for targeting; may be logged.' }),
    privateCustomData: CustomDataOrText.nullish().meta({ description: 'Attributes for targeting; never logged.' }),
    createdDate: Timestamp.nullish(),
    lastSeenDate: Timestamp.nullish(),
    platform: z.string().nullish(),
    platformVersion: z.string().nullish(),
    deviceModel: z.string().nullish(),
    sdkType: z.enum(['api', 'server', 'client', 'mobile']).nullish(),
    sdkVersion: z.string().nullish(),
    isAnonymous: BooleanOrText.nullish()
  })
  .meta({ id: 'User', example: { user_id: 'ada', country: 'CA', customData: { plan: 'pro' } } })
export type User = z.infer<typeof User>

/** What is kept about a user: the body of the edge-data update. Members that are not kept are ignored. */
export const EdgeUser = z
  .looseObject({
    user_id: UserId,
    email: z.string().nullish(),
    name: z.string().nullish(),
    language: z.union([Language, codes(isLanguage, 'an ISO 639-1 language code')]).nullish(),
    country: z.union([Country, codes(isCountry, 'an ISO 3166-1 alpha-2 country code')]).nullish(),
    customData: CustomDataOrText.nullish().meta({
      description: `Joined with what is kept; \`null\` removes a member. Together at most ${MAX_CUSTOM_DATA_LENGTH} characters of JSON.`
    }),
    lastSeenDate: Timestamp.nullish()
  })
  .meta({ id: 'EdgeUser', example: { user_id: 'ada', customData: { plan: 'pro' } } })
export type EdgeUser = z.infer<typeof EdgeUser>

/** An object of codes. As with attributes, all that is wrong is one mistake. */
function codes(isCode: (text: string) => boolean, wanted: string) {
  return z
    .custom<Readonly<Record<string, string>>>(isWithinAttributeLimit, { error: TOO_MANY, abort: true })
    .refine(
      (data) => isFlat(data) && Object.values(data).every((code) => typeof code === 'string' && isCode(code)),
      `should be ${wanted}, or an object of them`
    )
    .meta({ type: 'object', additionalProperties: { type: 'string' }, maxProperties: MAX_ATTRIBUTES })
}

/** What is no object has none. */
export function isWithinAttributeLimit(data: unknown): boolean {
  return typeof data !== 'object' || data === null || Object.keys(data).length <= MAX_ATTRIBUTES
}

function isFlat(data: unknown): boolean {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return false
  return Object.values(data).every(
    (value) => value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)
  )
}

function isCustomDataText(text: string): boolean {
  try {
    const data: unknown = JSON.parse(text)
    return isWithinAttributeLimit(data) && isFlat(data) && isHarmless(data as object)
  } catch {
    return false
  }
}

/** A text within a text is not seen by those who check what a body is made of. */
function isHarmless(data: object): boolean {
  return Object.entries(data).every(
    ([name, value]) => !RESERVED_KEYS.includes(name) && !/[\0\p{Surrogate}]/u.test(`${name}${value}`)
  )
}

function isNumeric(text: string): boolean {
  return text.trim() !== '' && Number.isFinite(Number(text))
}

function isTimestamp(text: string): boolean {
  return text === '' || Number.isFinite(Number(text)) || !Number.isNaN(Date.parse(text))
}
