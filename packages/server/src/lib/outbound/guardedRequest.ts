import { setMaxListeners } from 'node:events'
import type { AllowedDestination } from './allowedDestination.ts'
import { describeFailure } from './describeFailure.ts'
import { type Destination, parseDestination } from './destination.ts'
import { type HttpExchange, httpExchange, type RequestContent } from './httpExchange.ts'
import { type ResolverOptions, resolveHost } from './resolveHost.ts'
import { validateAddresses } from './validateDestination.ts'

/** A request to an address that somebody gave us. */
interface UncheckedRequest extends RequestContent {
  readonly url: string
}

/**
 * Asks an address that somebody gave us, and answers what came back, or why nothing did, as people are told. It never throws, and takes no
 * longer than its deadline; a signal ends it earlier. Addresses that are not public are refused, redirects are not followed.
 */
export type GuardedRequest = (request: UncheckedRequest, stopping?: AbortSignal) => Promise<HttpExchange | string>

/** How far and how long addresses are reached. */
export interface GuardedRequestOptions {
  readonly allowedPrivateTargets: readonly AllowedDestination[]
  /** How long a request may take from the name to the end of the answer, in milliseconds. */
  readonly deadlineMs?: number
  readonly resolver?: Partial<ResolverOptions>
}

/** Makes what asks addresses that somebody gave us. */
export function createGuardedRequest({
  allowedPrivateTargets,
  deadlineMs = 15_000,
  resolver
}: GuardedRequestOptions): GuardedRequest {
  const names: ResolverOptions = { deadlineMs: Math.min(5000, deadlineMs), ...resolver }
  return async (request, stopping) => {
    const ended = new AbortController()
    const stop = () => ended.abort('the server is stopping')
    const timer = setTimeout(() => ended.abort(`no answer within ${deadlineMs / 1000} s`), deadlineMs)
    // All requests under way wait for the same one.
    if (stopping) setMaxListeners(0, stopping)
    stopping?.addEventListener('abort', stop)
    if (stopping?.aborted) stop()
    const told = await send(request, ended.signal)
    clearTimeout(timer)
    stopping?.removeEventListener('abort', stop)
    return told
  }

  async function send({ url, ...sent }: UncheckedRequest, signal: AbortSignal): Promise<HttpExchange | string> {
    const target = parseDestination(url)
    if (typeof target === 'string') return `the address cannot be called: ${target}`
    const addresses = target.isLiteral ? [target.host] : await resolveHost(target.host, signal, names)
    if (signal.aborted) return signal.reason
    if (typeof addresses === 'string') return addresses
    return validateAddresses(target, addresses, allowedPrivateTargets) ?? tryExchange(sent, target, addresses, signal)
  }
}

async function tryExchange(
  sent: RequestContent,
  target: Destination,
  addresses: readonly string[],
  signal: AbortSignal
): Promise<HttpExchange | string> {
  try {
    const answer = await httpExchange(target, addresses, sent, signal)
    const { statusCode: status = 0 } = answer.head
    return status < 100 ? `${target.host} answered something that is not HTTP (status ${status})` : answer
  } catch (error) {
    return signal.aborted ? signal.reason : describeFailure(error, target)
  }
}
