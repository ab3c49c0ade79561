import { setMaxListeners } from 'node:events'
import type { AllowedTarget } from './allowedTarget.ts'
import { excerptOf } from './excerptOf.ts'
import { exchange } from './exchange.ts'
import { failureOf } from './failureOf.ts'
import { refusalOf } from './guard.ts'
import { type Resolving, resolve } from './resolve.ts'
import { retryAfterIn } from './retryAfter.ts'
import type { Answer, OutboundRequest, Send } from './send.ts'
import { readTarget, type Target } from './target.ts'

interface Dependencies {
  /** The version of this program, as receivers are told. */
  readonly software: string
  readonly allowedPrivateTargets: readonly AllowedTarget[]
  readonly now: () => number
  /** How long a request may take from the name to the end of the answer, in milliseconds. */
  readonly deadlineMs?: number
  readonly resolving?: Partial<Resolving>
}

type Told = Answer extends infer O ? (O extends Answer ? Omit<O, 'durationMs'> : never) : never

/** Makes what posts to addresses that somebody gave us. */
export function createSend({
  software,
  allowedPrivateTargets,
  now,
  deadlineMs = 15_000,
  resolving
}: Dependencies): Send {
  const userAgent = `Burgee/${software}`
  const names: Resolving = { deadlineMs: Math.min(5000, deadlineMs), ...resolving }
  return async (request, stopping) => {
    const begun = performance.now()
    const ended = new AbortController()
    const stop = () => ended.abort('the server is stopping')
    const timer = setTimeout(() => ended.abort(`no answer within ${deadlineMs / 1000} s`), deadlineMs)
    // All requests under way wait for the same one.
    if (stopping) setMaxListeners(0, stopping)
    stopping?.addEventListener('abort', stop)
    if (stopping?.aborted) stop()
    const told = await tell(request, ended.signal)
    clearTimeout(timer)
    stopping?.removeEventListener('abort', stop)
    return { ...told, durationMs: Math.round(performance.now() - begun) }
  }

  async function tell(request: OutboundRequest, signal: AbortSignal): Promise<Told> {
    const target = readTarget(request.url)
    if (typeof target === 'string') return failed(`the address cannot be called: ${target}`)
    const addresses = target.isLiteral ? [target.host] : await resolve(target.host, signal, names)
    if (signal.aborted) return failed(signal.reason)
    if (typeof addresses === 'string') return failed(addresses)
    const refusal = refusalOf(target, addresses, allowedPrivateTargets)
    return refusal === undefined ? post(request, target, addresses, signal) : failed(refusal)
  }

  async function post(
    request: OutboundRequest,
    target: Target,
    addresses: readonly string[],
    signal: AbortSignal
  ): Promise<Told> {
    const sent = { body: request.body, headers: { 'user-agent': userAgent, ...request.headers } }
    try {
      const { head, text } = await exchange(target, addresses, sent, signal)
      const { statusCode: status = 0 } = head
      if (status < 100) return failed(`${target.host} answered something that is not HTTP (status ${status})`)
      const retryAfterMs = retryAfterIn(head.headers, now)
      return {
        type: 'answered',
        status,
        ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
        excerpt: excerptOf(text, request)
      }
    } catch (error) {
      return failed(signal.aborted ? signal.reason : failureOf(error, target))
    }
  }
}

function failed(reason: string): Told {
  return { type: 'failed', reason }
}
