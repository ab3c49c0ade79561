import { setMaxListeners } from 'node:events'
import type { AllowedDestination } from './allowedDestination.ts'
import { describeFailure } from './describeFailure.ts'
import { type Destination, parseDestination } from './destination.ts'
import { type BoundedRequest, type HttpExchange, httpExchange, type RequestContent } from './httpExchange.ts'
import { type ResolverOptions, resolveHost } from './resolveHost.ts'
import { validateAddresses } from './validateDestination.ts'

/** A request to a user-supplied URL. */
interface UncheckedRequest extends RequestContent {
  readonly url: string
}

/**
 * Sends a request to a user-supplied URL. Resolves with the response, or with the reason of a failure as text for
 * users. Never rejects, and ends at its deadline or at the signal. Refuses destinations that are not public, and
 * follows no redirects.
 */
export type GuardedRequest = (request: UncheckedRequest, shutdown?: AbortSignal) => Promise<HttpExchange | string>

export interface GuardedRequestOptions {
  readonly allowedPrivateTargets: readonly AllowedDestination[]
  /** The time limit from name resolution to the end of the response, in milliseconds; 15000 if omitted. */
  readonly deadlineMs?: number
  /** The maximum number of bytes to read of a response body. Default: 65536. */
  readonly maxBodyBytes?: number
  readonly resolver?: Partial<ResolverOptions>
}

/** Creates a guarded HTTP client. See docs/operations/outbound-requests.md. */
export function createGuardedRequest({
  allowedPrivateTargets,
  deadlineMs = 15_000,
  maxBodyBytes = 65_536,
  resolver
}: GuardedRequestOptions): GuardedRequest {
  const names: ResolverOptions = { deadlineMs: Math.min(5000, deadlineMs), ...resolver }
  return async (request, shutdown) => {
    const ended = new AbortController()
    const stop = () => ended.abort('the server is stopping')
    const timer = setTimeout(() => ended.abort(`no response within ${deadlineMs / 1000} s`), deadlineMs)
    // Every request in flight listens to this signal.
    if (shutdown) setMaxListeners(0, shutdown)
    shutdown?.addEventListener('abort', stop)
    if (shutdown?.aborted) stop()
    const result = await send(request, ended.signal)
    clearTimeout(timer)
    shutdown?.removeEventListener('abort', stop)
    return result
  }

  async function send({ url, ...sent }: UncheckedRequest, signal: AbortSignal): Promise<HttpExchange | string> {
    const target = parseDestination(url)
    if (typeof target === 'string') return `the address cannot be called: ${target}`
    const addresses = target.isLiteral ? [target.host] : await resolveHost(target.host, signal, names)
    if (signal.aborted) return signal.reason
    if (typeof addresses === 'string') return addresses
    return (
      validateAddresses(target, addresses, allowedPrivateTargets) ??
      tryExchange({ ...sent, maxBodyBytes }, target, addresses, signal)
    )
  }
}

async function tryExchange(
  sent: BoundedRequest,
  target: Destination,
  addresses: readonly string[],
  signal: AbortSignal
): Promise<HttpExchange | string> {
  try {
    const response = await httpExchange(target, addresses, sent, signal)
    const { statusCode: status = 0 } = response.head
    return status < 100 ? `${target.host} answered something that is not HTTP (status ${status})` : response
  } catch (error) {
    return signal.aborted ? signal.reason : describeFailure(error, target)
  }
}
