import { z } from 'zod'
import { defineOperation, sdkKeyTypes } from '../operation.ts'
import { bodyErrors, commonErrors, ErrorBody, writeErrors } from '../schema/error.ts'
import { EventsReceived, PayloadHeaders, SdkEventBatches, SdkEvents } from '../schema/event.ts'
import { SdkKeyQuery } from '../schema/sdkKeyQuery.ts'

/** The largest body, in MiB: 100 events, which is what SDKs send at once, of users who get 1500 features each. */
const MAX_MIB = 8

const shared = {
  tag: 'Events',
  description: `Good events are taken and bad ones told in the answer, since SDKs repeat what is refused for ever: whatever the body says, as long as it is JSON, the answer is 201. Of a body that is too large, as one beyond ${MAX_MIB} MiB is, nothing is taken: 413 for senders that name their payload (\`Idempotency-Key\`), which can split it, 201 for all others. Client and mobile keys, which anybody can read, are answered 429 while their address has sent more than it may. With a store on disk, the events are on it when the answer arrives.`,
  method: 'POST',
  headers: PayloadHeaders,
  readsBody: true,
  rateLimit: 'bytes',
  rawBody: { maxBytes: MAX_MIB * 1024 * 1024 },
  status: 201,
  response: EventsReceived,
  errors: { ...commonErrors, ...bodyErrors, ...writeErrors, 429: ErrorBody },
  credential: { type: 'sdkKey', keyTypes: sdkKeyTypes, inQuery: true }
} as const

/** Events of one user, as client SDKs send them. */
export const sendEvents = defineOperation({
  ...shared,
  id: 'sendEvents',
  summary: 'Send events of one user, as client SDKs do',
  path: '/v1/events',
  query: SdkKeyQuery.extend({
    obfuscated: z.stringbool().optional().catch(false).meta({
      description:
        '1 or 0: whether targets are named as the client config names variables when it is obfuscated. What is neither is 0.'
    })
  }),
  body: SdkEvents
})

/** Events of several users, as server SDKs send them. */
export const sendEventBatches = defineOperation({
  ...shared,
  id: 'sendEventBatches',
  summary: 'Send events of several users, as server SDKs do',
  path: '/v1/events/batch',
  query: SdkKeyQuery,
  body: SdkEventBatches
})
