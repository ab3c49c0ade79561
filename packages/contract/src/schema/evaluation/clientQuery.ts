import { z } from 'zod'
import { EnableEdgeDB, SdkKeyQuery } from '../common/query.ts'
import {
  BooleanOrText,
  isNumeric,
  isPlainDataText,
  isPlainText,
  isPlainVersion,
  isTimestamp,
  MAX_TEXT_LENGTH,
  MAX_VERSION_LENGTH,
  plainMembers,
  Timestamp,
  User
} from './user.ts'
import { UserHash } from './userHash.ts'

const Text = z.string().min(1, 'should not be empty').max(MAX_TEXT_LENGTH)
const Version = Text.max(MAX_VERSION_LENGTH)

/** A required timestamp. */
const RequiredTimestamp = Timestamp.refine((timestamp) => timestamp !== '', 'should not be empty')

/** The user and the options of an evaluation, as query parameters of client and mobile SDKs. All values are strings. */
export const ClientQuery = User.extend({
  platform: Text,
  platformVersion: Version,
  deviceModel: Text,
  sdkVersion: Version,
  sdkType: z.enum(['client', 'mobile']),
  createdDate: RequiredTimestamp,
  lastSeenDate: RequiredTimestamp,
  isAnonymous: BooleanOrText,
  isDebug: BooleanOrText.optional(),
  userHash: UserHash.optional(),
  ...SdkKeyQuery.shape,
  enableEdgeDB: EnableEdgeDB,
  obfuscated: z.stringbool().optional().meta({
    description: '1: obfuscates keys, if the project has obfuscation on.'
  }),
  sse: z.unknown().optional().meta({ description: '1 if a stream message caused the request.' }),
  sseLastModified: z
    .unknown()
    .optional()
    .meta({ description: 'From that stream message. The response is of this version or a later one.' }),
  sseEtag: z.unknown().optional().meta({ description: 'From that stream message. Not validated.' })
})

/** The parameters of `ClientQuery` that are no attributes of the user. */
export const clientParameters: ReadonlySet<string> = new Set(
  Object.keys(ClientQuery.shape).filter((name) => !(name in User.shape))
)

/**
 * Whether a query is one that SDKs usually send, and that `ClientQuery` accepts unchanged. This check is three times as
 * fast as the schema. False does not mean that the query is invalid.
 */
export function isPlainClientQuery(query: Readonly<Record<string, unknown>>): boolean {
  let required = 0
  for (const name of Object.keys(query)) {
    const isPlain = plainParameters.get(name)
    if (isPlain ? !isPlain(query[name]) : name in ClientQuery.shape) return false
    if (requiredParameters.has(name)) required++
  }
  return required === requiredParameters.size
}

const isPlainTimestamp = (value: unknown) => typeof value === 'string' && value !== '' && isTimestamp(value)

/** The checks of plain parameters. A query with other parameters of the schema is left to the schema. */
const plainParameters: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ...plainMembers,
  ...Object.entries({
    platform: (value) => value !== '' && isPlainText(value),
    platformVersion: (value) => value !== '' && isPlainVersion(value),
    deviceModel: (value) => value !== '' && isPlainText(value),
    sdkVersion: (value) => value !== '' && isPlainVersion(value),
    sdkType: (value) => value === 'client' || value === 'mobile',
    createdDate: isPlainTimestamp,
    lastSeenDate: isPlainTimestamp,
    isAnonymous: (value) => value === 'true' || value === 'false',
    appBuild: (value) => typeof value === 'string' && isNumeric(value),
    customData: isPlainDataText,
    privateCustomData: isPlainDataText,
    sdkKey: (value) => typeof value === 'string',
    sse: () => true,
    sseLastModified: () => true,
    sseEtag: () => true
  } satisfies Partial<Record<keyof typeof ClientQuery.shape, (value: unknown) => boolean>>)
])

const requiredParameters: ReadonlySet<string> = new Set(
  Object.entries(ClientQuery.shape).flatMap(([name, schema]) => (schema.isOptional() ? [] : [name]))
)
