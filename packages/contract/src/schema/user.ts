import { z } from 'zod'
import { isCountry, isLanguage } from './isoCodes.ts'
import { prototypeNames } from './key.ts'

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

/** Attributes of a user, one level deep. */
export const CustomData = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()], flatOnly()))
  .meta({ id: 'CustomData', example: { plan: 'pro', seats: 12 } })

/** `CustomData`, or its JSON text as some SDKs send it. */
const CustomDataOrText = z.union(
  [CustomData, z.string().refine(isCustomDataText, 'should be the JSON text of a flat object')],
  flatOnly()
)

const momentWanted = 'should be epoch milliseconds or a date-time'

/** Epoch milliseconds as a number or as text, or a date-time. 0 and the empty text say nothing. */
export const Moment = z.union([z.number(), z.string().refine(isMoment, momentWanted)], { error: () => momentWanted })

/** Yes or no, as data or as text. */
export const Flag = z.union([z.boolean(), z.literal(['true', 'false'])], { error: () => 'should be a boolean' })

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
    createdDate: Moment.nullish(),
    lastSeenDate: Moment.nullish(),
    platform: z.string().nullish(),
    platformVersion: z.string().nullish(),
    deviceModel: z.string().nullish(),
    sdkType: z.enum(['api', 'server', 'client', 'mobile']).nullish(),
    sdkVersion: z.string().nullish(),
    isAnonymous: Flag.nullish()
  })
  .meta({ id: 'User', example: { user_id: 'ada', country: 'CA', customData: { plan: 'pro' } } })
export type User = z.infer<typeof User>

/** What is kept about a user: the body of the edge-data update. Members that are not kept are ignored. */
export const EdgeUser = z
  .looseObject({
    user_id: UserId,
    email: z.string().nullish(),
    name: z.string().nullish(),
    language: z.union([Language, z.record(z.string(), Language)]).nullish(),
    country: z.union([Country, z.record(z.string(), Country)]).nullish(),
    customData: CustomDataOrText.nullish().meta({ description: 'Joined with what is kept; `null` removes a member.' }),
    lastSeenDate: Moment.nullish()
  })
  .meta({ id: 'EdgeUser', example: { user_id: 'ada', customData: { plan: 'pro' } } })
export type EdgeUser = z.infer<typeof EdgeUser>

function flatOnly(): { error: () => string } {
  return { error: () => 'should be an object of strings, numbers, booleans and nulls' }
}

function isCustomDataText(text: string): boolean {
  try {
    return CustomData.safeParse(JSON.parse(text, refuseHarm)).success
  } catch {
    return false
  }
}

/** A text within a text is not seen by those who check what a body is made of. */
function refuseHarm(name: string, value: unknown): unknown {
  const said = typeof value === 'string' ? name + value : name
  if (prototypeNames.includes(name) || /[\0\p{Surrogate}]/u.test(said)) throw new Error(`${name} cannot be kept`)
  return value
}

function isNumeric(text: string): boolean {
  return text.trim() !== '' && Number.isFinite(Number(text))
}

function isMoment(text: string): boolean {
  return text === '' || Number.isFinite(Number(text)) || !Number.isNaN(Date.parse(text))
}
