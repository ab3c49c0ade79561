import type { OutgoingHttpHeaders, RequestListener } from 'node:http'
import inject, { type InjectOptions } from 'light-my-request'

/**
 * A `fetch` that asks this very server, without a connection: what is asked goes through the same onion as every other
 * request. The address it is given tells the path alone. Who gives up is told at once; what is under way is still finished.
 */
export function createInProcessFetch(listener: () => RequestListener): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init)
    request.signal.throwIfAborted()
    const { pathname, search } = new URL(request.url)
    const payload = Buffer.from(await request.arrayBuffer())
    const headers = Object.fromEntries(request.headers)
    // What is injected lacks what Node has made of headers by then.
    const headersDistinct = Object.fromEntries([...request.headers].map(([name, value]) => [name, [value]]))
    const dispatch: RequestListener = (req, res) => listener()(Object.assign(req, { headersDistinct }), res)
    const answered = inject(dispatch, {
      // The library's type lists the methods that it was written with; at run time it takes every method.
      method: request.method as NonNullable<InjectOptions['method']>,
      url: `${pathname}${search}`,
      headers,
      ...(payload.length > 0 ? { payload } : {})
    })
    const { statusCode: status, headers: answer, rawPayload } = await orAborted(answered, request.signal)
    // These have no body, not even an empty one.
    const body = status === 204 || status === 304 ? null : new Uint8Array(rawPayload)
    return new Response(body, { status, headers: pairs(answer) })
  }
}

function pairs(headers: OutgoingHttpHeaders): [string, string][] {
  return Object.entries(headers).flatMap(([name, values]) => {
    return [values ?? []].flat().map((value): [string, string] => [name, String(value)])
  })
}

/** The same promise, which fails as soon as the signal says so. */
async function orAborted<T>(promise: PromiseLike<T>, signal: AbortSignal): Promise<T> {
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
