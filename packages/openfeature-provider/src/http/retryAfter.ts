import { parseRetryAfter } from '@burgee/kit'
import type { ServerOptions } from './serverOptions.ts'

/** The maximum pause. A longer one indicates a wrong server clock. */
const MAX_PAUSE_MS = 60 * 60 * 1000

/** Returns the pause in milliseconds that a response asks for by `Retry-After`, if any. */
export function readRetryAfter(headers: Headers, { now = Date.now }: Pick<ServerOptions, 'now'>): number | undefined {
  const date = headers.get('date')
  return parseRetryAfter(headers.get('retry-after'), { date, now: now(), maxMs: MAX_PAUSE_MS })
}
