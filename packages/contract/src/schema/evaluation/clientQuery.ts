import { z } from 'zod'
import { EnableEdgeDB, SdkKeyQuery } from '../common/query.ts'
import { BooleanOrText, MAX_TEXT_LENGTH, MAX_VERSION_LENGTH, Timestamp, User } from './user.ts'
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
