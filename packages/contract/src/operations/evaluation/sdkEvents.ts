import { z } from 'zod'
import { defineOperation, sdkKeyTypes } from '../../operation.ts'
import { bodyErrors, commonErrors, ErrorBody } from '../../schema/common/error.ts'
import { SdkKeyQuery } from '../../schema/common/query.ts'
import { EventsReceived, PayloadHeaders, SdkEventBatches, SdkEvents } from '../../schema/evaluation/event.ts'
import { UserHashHeaders } from '../../schema/evaluation/userHash.ts'

/** Enough for 100 events, the batch size of SDKs, of users with 1,500 features each. */
const MAX_MIB = 8

/** Parsing this many values, objects and lists takes 0.2 s of processor time. */
const MAX_VALUES = 500_000

/** Twice as many as `featureVars` may have, so that errors can name an event with more. Larger objects take far longer than lists. */
const MAX_MEMBERS = 20_000

/** Twice as deep as an event may be, so that errors can name an event that is too deep. */
const MAX_DEPTH = 64

/** Parsing a string of this length takes 20 ms of processor time if all of its characters are escaped. */
const MAX_LENGTH = 1_048_576

const shared = {
  tag: 'Events',
  description: `Accepts valid events and reports invalid ones in the response, which is 201 for every JSON body, because SDKs retry failed requests forever. A body of more than ${MAX_MIB} MiB, or ${MAX_VALUES} values, objects and lists, or ${MAX_DEPTH} levels of them, or ${MAX_MEMBERS} members of an object, or ${MAX_LENGTH} characters of a string, is dropped as a whole: the response is 413 for requests with an \`Idempotency-Key\`, so that the sender can split the body, and 201 for all others. For client and mobile keys, which are public, the response is 429 once their network exceeds the rate limit. A file store has written the events when the response is sent.`,
  method: 'POST',
  headers: PayloadHeaders.extend(UserHashHeaders.shape),
  user: 'events',
  readsBody: true,
  rateLimit: 'bytes',
  rawBody: {
    maxBytes: MAX_MIB * 1024 * 1024,
    maxValues: MAX_VALUES,
    maxMembers: MAX_MEMBERS,
    maxDepth: MAX_DEPTH,
    maxLength: MAX_LENGTH
  },
  status: 201,
  response: EventsReceived,
  errors: { ...commonErrors, ...bodyErrors, 429: ErrorBody },
  credential: { type: 'sdkKey', keyTypes: sdkKeyTypes, inQuery: true }
} as const

/** Send events of one user. */
export const sendEvents = defineOperation({
  ...shared,
  id: 'sendEvents',
  summary: 'Send events of one user',
  path: '/v1/events',
  query: SdkKeyQuery.extend({
    obfuscated: z.stringbool().optional().catch(false).meta({
      description: '1 if `target` has obfuscated keys, as in an obfuscated client config. Default: 0.'
    })
  }),
  body: SdkEvents
})

/** Send events of several users. */
export const sendEventBatches = defineOperation({
  ...shared,
  id: 'sendEventBatches',
  summary: 'Send events of several users',
  path: '/v1/events/batch',
  query: SdkKeyQuery,
  body: SdkEventBatches
})
