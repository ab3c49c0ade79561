import { parseRetryAfter } from '@burgee/kit'
import { DAY } from '../time.ts'
import { createGuardedRequest, type GuardedRequestOptions } from './guardedRequest.ts'
import type { SafeFetch } from './safeFetch.ts'
import { toExcerpt } from './toExcerpt.ts'

interface Dependencies extends GuardedRequestOptions {
  /** The version of the server, for `User-Agent`. */
  readonly serverVersion: string
  readonly now: () => number
}

/** Creates a client that posts to user-supplied URLs. */
export function createSafeFetch({ serverVersion, now, ...guardOptions }: Dependencies): SafeFetch {
  const request = createGuardedRequest(guardOptions)
  const userAgent = `Burgee/${serverVersion}`
  return async (outbound, signal) => {
    const startedAt = performance.now()
    const headers = { 'user-agent': userAgent, ...outbound.headers }
    const result = await request({ url: outbound.url, headers, body: outbound.body }, signal)
    const durationMs = Math.round(performance.now() - startedAt)
    if (typeof result === 'string') return { type: 'failed', reason: result, durationMs }
    const { head, text } = result
    const { statusCode: status = 0 } = head
    const retryAfterMs = parseRetryAfter(head.headers['retry-after'], {
      date: head.headers.date,
      now: now(),
      // No receiver can delay deliveries for longer.
      maxMs: DAY
    })
    return {
      type: 'answered',
      status,
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
      excerpt: toExcerpt(text, outbound),
      durationMs
    }
  }
}
