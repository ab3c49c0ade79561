import { z } from 'zod'

/**
 * A record of values by any key, for request bodies. Unlike `z.record`, it stops at the first invalid member if the
 * caller asks for that (`abortEarly`): describing thousands of members takes too long for a server.
 */
export function recordOf<Value extends z.ZodType>(value: Value) {
  return z.object({}).catchall(value)
}
