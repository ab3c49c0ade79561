import { z } from 'zod'
import { defineOperation, sdkKeyTypes } from '../operation.ts'
import { capacityErrors, commonErrors } from '../schema/error.ts'
import { SdkKeyQuery } from '../schema/sdkKeyQuery.ts'
import { StreamMessage } from '../schema/stream.ts'

/** Tells at once of every change of an environment's config. */
export const streamEvents = defineOperation({
  id: 'streamEvents',
  summary: 'Be told of every change, as it happens',
  description:
    'Server-sent events without a name: each says that the config has another version, and nothing of what is in it. To callers with an SDK key, `data` is an object whose member `data` is the message as JSON text, and the present version comes first. To callers with a token, `data` is the message, and the present version comes first if it is not the one they know, by `Last-Event-ID` or `since`. The id of an event is the version. A caller that is behind gets the latest message only. An expired token still opens a stream that was interrupted, for a day.',
  tag: 'Streams',
  method: 'GET',
  path: '/event-stream',
  query: SdkKeyQuery.extend({
    token: z.string().optional(),
    since: z
      .string()
      .optional()
      .meta({ description: 'The version that the caller knows; `Last-Event-ID` wins over it.' })
  }),
  status: 200,
  response: StreamMessage,
  responseKind: 'stream',
  errors: { ...commonErrors, ...capacityErrors },
  credential: { type: 'sdkKey', keyTypes: sdkKeyTypes, inQuery: true, inToken: true }
})
