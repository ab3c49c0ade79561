import { z } from 'zod'
import { operation, sdkKeyTypes } from '../operation.ts'
import { bodyRefusals, refusals, writeRefusals } from '../schema/error.ts'
import { EventsReceived, PayloadHeaders, SdkEventBatches, SdkEvents } from '../schema/event.ts'

const shared = {
  tag: 'Events',
  description:
    'Good events are taken and bad ones told in the answer, since SDKs repeat what is refused for ever: whatever the body says, as long as it is JSON, the answer is 201. With a store on disk, the events are on it when the answer arrives.',
  method: 'POST',
  headers: PayloadHeaders,
  takesAnyJson: { maxBytes: 8 * 1024 * 1024 },
  status: 201,
  response: EventsReceived,
  errors: { ...refusals, ...bodyRefusals, ...writeRefusals },
  credential: { type: 'sdkKey', keyTypes: sdkKeyTypes, inQuery: true }
} as const

const SdkKeyQuery = z.object({ sdkKey: z.string().optional() })

/** Events of one user, as client SDKs send them. */
export const sendEvents = operation({
  ...shared,
  id: 'sendEvents',
  summary: 'Send events of one user, as client SDKs do',
  path: '/v1/events',
  query: SdkKeyQuery.extend({
    obfuscated: z.stringbool().optional().meta({
      description: '1 or 0: whether targets are named as the client config names variables when it is obfuscated.'
    })
  }),
  body: SdkEvents
})

/** Events of several users, as server SDKs send them. */
export const sendEventBatches = operation({
  ...shared,
  id: 'sendEventBatches',
  summary: 'Send events of several users, as server SDKs do',
  path: '/v1/events/batch',
  query: SdkKeyQuery,
  body: SdkEventBatches
})
