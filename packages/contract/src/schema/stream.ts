import { z } from 'zod'

/** What a message of a stream says: the config has come to another version. */
export const StreamMessage = z
  .object({
    type: z.enum(['refetchConfig', 'refetchEvaluation']),
    etag: z.string(),
    lastModified: z.int().meta({
      description: 'In milliseconds to those who came with a key; in seconds to those who came with a token.'
    })
  })
  .meta({
    id: 'StreamMessage',
    example: {
      type: 'refetchEvaluation',
      etag: '"1772366400-65f1b2c3d4e5f60718293a4b"',
      lastModified: 1_772_366_400
    }
  })
export type StreamMessage = z.infer<typeof StreamMessage>

/** Where a client of OFREP is told of changes: at a URL, or at an address on the origin that it asks already. */
export const EventStream = z
  .object({
    type: z.literal('sse'),
    url: z.url().exactOptional(),
    endpoint: z.object({ requestUri: z.string() }).exactOptional(),
    inactivityDelaySec: z.int().meta({ description: 'Hang up after so many seconds in which nobody looks.' })
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
