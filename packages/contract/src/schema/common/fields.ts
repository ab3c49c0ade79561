import type * as core from '@burgee/core'
import { z } from 'zod'
import { admin, createdAt, project } from '../examples/shop.ts'
import { MAX_DESCRIPTION_LENGTH } from './maxDescriptionLength.ts'

/** The permanent id of a resource: 24 lower-case hexadecimal characters. */
export const Id = z
  .string()
  .regex(/^[0-9a-f]{24}$/, 'should be an id: 24 of 0–9 and a–f')
  .meta({ id: 'Id', description: 'The permanent id: 24 hexadecimal characters.', example: '65f0c0ffee0123456789abcd' })

/** The key or id of a resource, in requests. */
export const Reference = z
  .string()
  .min(1)
  .max(100)
  .meta({ id: 'Reference', description: 'Key or id.', example: 'new-checkout' })

/** The id of a resource without a key, in requests. Strings that are not an id match nothing. */
export const IdReference = z
  .string()
  .min(1)
  .max(100)
  .meta({ description: 'The id, as in responses.', example: '65f0c0ffee0123456789abcd' })

/** The user or API client that made a change. */
export const UserReference = z
  .string()
  .meta({ id: 'UserReference', description: 'The user or API client.', example: admin })

/** An ISO 8601 date-time. Responses have UTC with milliseconds. */
export const DateTime = z.iso
  .datetime({ offset: true, abort: true, error: 'should be a date-time such as 2026-03-01T12:00:00.000Z' })
  .refine((text) => isInCalendar(Date.parse(text)), 'should be in the years 1000 to 9999 of UTC')
  .meta({ id: 'DateTime', description: 'ISO 8601, in the years 1000 to 9999 UTC.', example: createdAt })

/** Epoch milliseconds in a query. */
export const EpochTime = z.preprocess(
  // `Number('')` is 0.
  (text) => (text === '' ? Number.NaN : text),
  z.coerce
    .number('should be a number of milliseconds since 1970')
    .refine(isInCalendar, { error: 'should be in the years 1000 to 9999 of UTC', abort: true })
    .refine(Number.isInteger, 'should be a whole number of milliseconds since 1970')
)

/** Whether ISO 8601 writes the year with four digits, with room for subtracting months. */
function isInCalendar(moment: number): boolean {
  return FIRST <= moment && moment <= LAST
}

const FIRST = Date.parse('1000-01-01T00:00:00.000Z')
const LAST = Date.parse('9999-12-31T23:59:59.999Z')

/** A hexadecimal SHA-256. */
export const Sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'should be a SHA-256: 64 of 0–9 and a–f')

/** The display name of a resource. */
export const Name = z.string().min(1).max(100).meta({ description: 'The display name.' })

/**
 * Whether a text can be shown on one line as it is: without line breaks, control characters, overrides of its direction,
 * and letters that people do not see but language models read.
 */
export function isSingleLine(text: string): boolean {
  return !/[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/u.test(text) && !HIDDEN.test(text.replace(SHOWN, ''))
}

/** Tag characters and supplementary variation selectors, which can spell text. */
const HIDDEN = /[\u{E0000}-\u{E007F}]|[\u{E0100}-\u{E01EF}]/u

/** Their legitimate uses: variants of ideographs, and the flags of England, Scotland and Wales. */
const SHOWN =
  /\p{Ideographic}[\u{E0100}-\u{E01EF}]|\u{1F3F4}\u{E0067}\u{E0062}(?:\u{E0065}\u{E006E}\u{E0067}|\u{E0073}\u{E0063}\u{E0074}|\u{E0077}\u{E006C}\u{E0073})\u{E007F}/gu

/** The message for a text that `isSingleLine` refuses. */
const SINGLE_LINE = 'should be one line without control characters and hidden letters'

const VisibleLine = Name.refine((name) => VISIBLE.test(name), {
  error: 'should contain a visible character',
  abort: true
}).refine(isSingleLine, SINGLE_LINE)

/** The display name of a resource, in requests. Earlier versions stored names with control characters. */
export const NameInput = VisibleLine.meta({ description: 'The display name: one line of 1 to 100 characters.' })

/** A text of one line, in requests. */
export const LineInput = z.string().refine(isSingleLine, SINGLE_LINE)

/** A title of at most 100 characters that end users see, in requests. */
export const TitleInput = LineInput.max(100)

/** A character that is neither white space nor invisible, such as a joiner, a filler or the blank Braille pattern. */
const VISIBLE = /[^\p{Z}\p{C}\p{Default_Ignorable_Code_Point}\u2800]/u

/** Returns the number of visible characters of a text. */
export function countVisible(text: string): number {
  return [...text].filter((character) => VISIBLE.test(character)).length
}

/** The description of a resource. */
export const Description = z
  .string()
  .max(MAX_DESCRIPTION_LENGTH)
  .meta({ description: 'Explains the resource to people.' })

/** The display colour of a resource. */
export const Color = z
  .string()
  .max(9)
  .regex(/^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{4}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})$/, 'should be a hex colour such as #1d4ed8')
  .meta({ id: 'Color', description: 'A hex colour, such as #1d4ed8.', example: project.color })

/** The tags of a resource. */
export const Tags = z
  .array(z.string().min(1).max(100))
  .max(100)
  .meta({ description: 'Labels that lists can be filtered by.' })

/** The tags of a resource, in requests. Earlier versions stored tags with control characters. */
export const TagsInput = z.array(VisibleLine).max(100).meta({ description: 'Labels that lists can be filtered by.' })

/** The kind of tool that made a change. */
export const ChangeSource = z
  .enum([
    'api',
    'dashboard',
    'importer',
    'github.code_usages',
    'github.pr_insights',
    'gitlab.code_usages',
    'gitlab.pr_insights',
    'bitbucket.code_usages',
    'bitbucket.pr_insights',
    'terraform',
    'cli',
    'chat',
    'mcp'
  ])
  .meta({ id: 'Origin' })
export type ChangeSource = z.infer<typeof ChangeSource>

/** The members of every stored resource. Requests cannot set them. */
export const recordFields = { _id: Id, createdAt: DateTime, updatedAt: DateTime } as const

/** A URL for requests by the server. */
export const HttpUrl = z
  .url({ protocol: /^https?$/, error: 'should be an http or https URL of at most 2048 characters' })
  .max(2048)

/** The address of an image that end users see. Earlier versions stored any text. */
export const ImageUrl = z.string().max(2048)

/** `ImageUrl` in a request; an empty text removes the address. */
export const ImageUrlInput = z.union([z.literal(''), HttpUrl]).meta({ description: 'An http or https URL, or empty.' })

/** Any JSON value. */
export const Json: z.ZodType<core.Json> = z
  .lazy(() => z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(Json), z.record(z.string(), Json)]))
  .meta({ id: 'Json' })
