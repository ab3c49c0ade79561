import { parseRetryAfter } from '@burgee/kit'
import { DAY } from '../time.ts'
import { createGuardedRequest, type GuardedRequestOptions } from './guardedRequest.ts'
import type { SafeFetch } from './safeFetch.ts'
import { toExcerpt } from './toExcerpt.ts'

interface Dependencies extends GuardedRequestOptions {
  /** The version of this program, as receivers are told. */
  readonly software: string
  readonly now: () => number
}

/** Makes what posts to addresses that somebody gave us. */
export function createSafeFetch({ software, now, ...reaching }: Dependencies): SafeFetch {
  const reach = createGuardedRequest(reaching)
  const userAgent = `Burgee/${software}`
  return async (request, stopping) => {
    const begun = performance.now()
    const headers = { 'user-agent': userAgent, ...request.headers }
    const came = await reach({ url: request.url, headers, body: request.body }, stopping)
    const durationMs = Math.round(performance.now() - begun)
    if (typeof came === 'string') return { type: 'failed', reason: came, durationMs }
    const { head, text } = came
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
      excerpt: toExcerpt(text, request),
      durationMs
    }
  }
}
