import { z } from 'zod'

/** A message of the change stream: the config has a new version (docs/reference/delivery.md). */
export const StreamMessage = z
  .object({
    type: z.enum(['refetchConfig', 'refetchEvaluation']),
    etag: z.string(),
    lastModified: z.int().meta({
      description: 'Milliseconds for clients with an SDK key, seconds for clients with a stream token.'
    })
  })
  .meta({
    id: 'StreamMessage',
    example: {
      type: 'refetchEvaluation',
      etag: 'W/"1772366400-65f1b2c3d4e5f60718293a4b"',
      lastModified: 1_772_366_400
    }
  })
export type StreamMessage = z.infer<typeof StreamMessage>

/** A change stream for OFREP clients: a URL, or a path on the origin of the server. */
export const EventStream = z
  .object({
    type: z.literal('sse'),
    url: z.url().exactOptional(),
    endpoint: z.object({ requestUri: z.string() }).exactOptional(),
    inactivityDelaySec: z.int().meta({ description: 'Seconds in the background after which a client disconnects.' })
  })
  .meta({
    id: 'EventStream',
    example: {
      type: 'sse',
      endpoint: { requestUri: '/event-stream?token=eyJhbGciOiJSUzI1NiJ9.e30.c2ln&since=1772366400-65f1b2c3' },
      inactivityDelaySec: 120
    }
  })
export type EventStream = z.infer<typeof EventStream>
