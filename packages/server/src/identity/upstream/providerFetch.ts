import type { GuardedRequest } from '../../lib/outbound/guardedRequest.ts'
import { ProviderUnreachableError } from './providerFailure.ts'

/** The part of `fetch` that `openid-client` and `jose` call. */
export type ProviderFetch = (url: string, request: ProviderRequest) => Promise<Response>

interface ProviderRequest {
  readonly method: string
  readonly headers: ConstructorParameters<typeof Headers>[0]
  readonly body?: unknown
}

/**
 * Adapts the guarded client, which has its own deadline, to `fetch`. Throws `ProviderUnreachableError` without a
 * response, and for failures of the provider.
 */
export function createProviderFetch(request: GuardedRequest): ProviderFetch {
  return async (url, { method, headers: given, body }) => {
    const headers = new Headers(given)
    const isPost = method === 'POST'
    if (isPost && !headers.has('content-type')) headers.set('content-type', 'application/x-www-form-urlencoded')
    const sent = { url, headers: Object.fromEntries(headers), ...(isPost ? { body: String(body ?? '') } : {}) }
    const response = await request(sent)
    if (typeof response === 'string') throw new ProviderUnreachableError(response)
    const { statusCode: status = 0, headersDistinct } = response.head
    if (status === 429 || status >= 500) throw new ProviderUnreachableError(`the provider answered ${status}`)
    const pairs = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
      values.map((value): [string, string] => [name, value])
    )
    return new Response(EMPTY_STATUSES.has(status) ? null : response.text, { status, headers: pairs })
  }
}

/** Responses without a body. */
const EMPTY_STATUSES: ReadonlySet<number> = new Set([204, 205, 304])
