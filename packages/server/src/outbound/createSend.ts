import { excerptOf } from './excerptOf.ts'
import { createReach, type Reaching } from './reach.ts'
import { retryAfterIn } from './retryAfter.ts'
import type { Send } from './send.ts'

interface Dependencies extends Reaching {
  /** The version of this program, as receivers are told. */
  readonly software: string
  readonly now: () => number
}

/** Makes what posts to addresses that somebody gave us. */
export function createSend({ software, now, ...reaching }: Dependencies): Send {
  const reach = createReach(reaching)
  const userAgent = `Burgee/${software}`
  return async (request, stopping) => {
    const begun = performance.now()
    const headers = { 'user-agent': userAgent, ...request.headers }
    const came = await reach({ url: request.url, headers, body: request.body }, stopping)
    const durationMs = Math.round(performance.now() - begun)
    if (typeof came === 'string') return { type: 'failed', reason: came, durationMs }
    const { head, text } = came
    const { statusCode: status = 0 } = head
    const retryAfterMs = retryAfterIn(head.headers, now)
    return {
      type: 'answered',
      status,
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
      excerpt: excerptOf(text, request),
      durationMs
    }
  }
}
