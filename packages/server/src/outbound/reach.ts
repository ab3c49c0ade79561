import { setMaxListeners } from 'node:events'
import type { AllowedTarget } from './allowedTarget.ts'
import { type Exchange, exchange, type Sent } from './exchange.ts'
import { failureOf } from './failureOf.ts'
import { refusalOf } from './guard.ts'
import { type Resolving, resolve } from './resolve.ts'
import { readTarget, type Target } from './target.ts'

/** A request to an address that somebody gave us. */
interface ReachRequest extends Sent {
  readonly url: string
}

/**
 * Asks an address that somebody gave us, and answers what came back, or why nothing did, as people are told. It never throws, and takes no
 * longer than its deadline; a signal ends it earlier. Addresses that are not public are refused, redirects are not followed.
 */
export type Reach = (request: ReachRequest, stopping?: AbortSignal) => Promise<Exchange | string>

/** How far and how long addresses are reached. */
export interface Reaching {
  readonly allowedPrivateTargets: readonly AllowedTarget[]
  /** How long a request may take from the name to the end of the answer, in milliseconds. */
  readonly deadlineMs?: number
  readonly resolving?: Partial<Resolving>
}

/** Makes what asks addresses that somebody gave us. */
export function createReach({ allowedPrivateTargets, deadlineMs = 15_000, resolving }: Reaching): Reach {
  const names: Resolving = { deadlineMs: Math.min(5000, deadlineMs), ...resolving }
  return async (request, stopping) => {
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
    return told
  }

  async function tell({ url, ...sent }: ReachRequest, signal: AbortSignal): Promise<Exchange | string> {
    const target = readTarget(url)
    if (typeof target === 'string') return `the address cannot be called: ${target}`
    const addresses = target.isLiteral ? [target.host] : await resolve(target.host, signal, names)
    if (signal.aborted) return signal.reason
    if (typeof addresses === 'string') return addresses
    return refusalOf(target, addresses, allowedPrivateTargets) ?? ask(sent, target, addresses, signal)
  }
}

async function ask(
  sent: Sent,
  target: Target,
  addresses: readonly string[],
  signal: AbortSignal
): Promise<Exchange | string> {
  try {
    const answer = await exchange(target, addresses, sent, signal)
    const { statusCode: status = 0 } = answer.head
    return status < 100 ? `${target.host} answered something that is not HTTP (status ${status})` : answer
  } catch (error) {
    return signal.aborted ? signal.reason : failureOf(error, target)
  }
}
