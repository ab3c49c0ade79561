import { AsyncLocalStorage } from 'node:async_hooks'
import type { OutgoingHttpHeaders, RequestListener } from 'node:http'
import inject, { type InjectOptions } from 'light-my-request'

const currentAddress = new AsyncLocalStorage<string>()

/** Runs `work`; in-process requests that it makes have this network address. */
export function runWithAddress<T>(address: string, work: () => T): T {
  return currentAddress.run(address, work)
}

/** Returns the network address of the request for which `runWithAddress` runs. */
export function findCurrentAddress(): string | undefined {
  return currentAddress.getStore()
}

/**
 * Creates a `fetch` that calls this server without a connection, through the same middleware as every other request.
 * Only the path and query of the URL matter. Aborting rejects at once; the server still finishes the request.
 */
export function createInProcessFetch(listener: () => RequestListener): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init)
    request.signal.throwIfAborted()
    const { pathname, search } = new URL(request.url)
    const payload = Buffer.from(await request.arrayBuffer())
    const headers = Object.fromEntries(request.headers)
    // Injected requests lack this property of Node's requests.
    const headersDistinct = Object.fromEntries([...request.headers].map(([name, value]) => [name, [value]]))
    const dispatch: RequestListener = (req, res) => listener()(Object.assign(req, { headersDistinct }), res)
    const injected = inject(dispatch, {
      // The type lists fewer methods than the library accepts.
      method: request.method as NonNullable<InjectOptions['method']>,
      url: `${pathname}${search}`,
      headers,
      remoteAddress: currentAddress.getStore() ?? '127.0.0.1',
      ...(payload.length > 0 ? { payload } : {})
    })
    const { statusCode: status, headers: responseHeaders, rawPayload } = await rejectOnAbort(injected, request.signal)
    // `Response` rejects a body, even an empty one, with these statuses.
    const body = status === 204 || status === 304 ? null : new Uint8Array(rawPayload)
    return new Response(body, { status, headers: toHeaderPairs(responseHeaders) })
  }
}

function toHeaderPairs(headers: OutgoingHttpHeaders): [string, string][] {
  return Object.entries(headers).flatMap(([name, values]) => {
    return [values ?? []].flat().map((value): [string, string] => [name, String(value)])
  })
}

/** Rejects as soon as the signal aborts. */
async function rejectOnAbort<T>(promise: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  let onAbort = () => {}
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
  })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
