import { z } from 'zod'
import { defineOperation, sdkKeyTypes } from '../../operation.ts'
import { commonErrors, ErrorBody } from '../../schema/common/error.ts'
import { SdkKeyQuery } from '../../schema/common/query.ts'
import { StreamMessage } from '../../schema/evaluation/stream.ts'

/** Stream config changes. */
export const streamEvents = defineOperation({
  id: 'streamEvents',
  summary: 'Stream config changes',
  description:
    'Server-sent events that announce new versions of the config, without its content. Events have no name; their id is the version. With an SDK key, `data` is an object whose member `data` is the message as a JSON string, and the stream starts with the current version. With a stream token, `data` is the message, and the stream starts with the current version unless `Last-Event-ID` or `since` names it. Slow clients receive the latest message only. An expired stream token can reopen an interrupted stream for one day.',
  tag: 'Streams',
  method: 'GET',
  path: '/event-stream',
  query: SdkKeyQuery.extend({
    token: z.string().optional(),
    since: z
      .string()
      .optional()
      .meta({ description: 'The last version that the client received. `Last-Event-ID` takes precedence.' })
  }),
  status: 200,
  response: StreamMessage,
  responseKind: 'stream',
  errors: { ...commonErrors, 429: ErrorBody },
  credential: { type: 'sdkKey', keyTypes: sdkKeyTypes, inQuery: true, inToken: true }
})
