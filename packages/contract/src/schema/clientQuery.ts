import { z } from 'zod'
import { EnableEdgeDB } from './enableEdgeDB.ts'
import { SdkKeyQuery } from './sdkKeyQuery.ts'
import { BooleanOrText, Timestamp, User } from './user.ts'

const Text = z.string().min(1, 'should not be empty')

/** A moment that has to be given. */
const GivenMoment = Timestamp.refine((moment) => moment !== '', 'should not be empty')

/**
 * Who is evaluated, and how, as SDKs of browsers and apps write it into a query (`evaluation.md` §7.3): everything is text.
 * Unknown parameters are kept.
 */
export const ClientQuery = User.extend({
  platform: Text,
  platformVersion: Text,
  deviceModel: Text,
  sdkVersion: Text,
  sdkType: z.enum(['client', 'mobile']),
  createdDate: GivenMoment,
  lastSeenDate: GivenMoment,
  isAnonymous: BooleanOrText,
  isDebug: BooleanOrText.optional(),
  ...SdkKeyQuery.shape,
  enableEdgeDB: EnableEdgeDB,
  obfuscated: z.stringbool().optional().meta({
    description: '1 or 0: whether names come in a form that does not give them away, where the project has it.'
  }),
  sse: z.unknown().optional().meta({ description: '1 when a message of the stream is why the SDK asks.' }),
  sseLastModified: z
    .unknown()
    .optional()
    .meta({ description: 'What that message said: a hint, which is never refused.' }),
  sseEtag: z.unknown().optional().meta({ description: 'What that message said: a hint, which is never refused.' })
})
