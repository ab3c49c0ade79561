import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { Context } from 'koa'
import type { Provider } from 'oidc-provider'

/** What is asked of the provider in place of the request that came in. */
export interface ForwardedRequest {
  /** The path, with the query. */
  readonly url: string
  /** Those that it should know of. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/**
 * Has `oidc-provider`, which is an application of its own, answer a request. It is told that it was reached under the
 * public address, as a proxy would tell it: what the request itself says of that is not to be trusted.
 */
export async function forwardToOidcProvider(
  ctx: Context,
  provider: Provider,
  publicUrl: string,
  asked: ForwardedRequest
): Promise<void> {
  const { protocol, host, pathname } = new URL(publicUrl)
  const body = Buffer.from(asked.body ?? '')
  const { method, socket, httpVersionMajor } = ctx.req
  // Koa and those who use it read these members of a request, and its bytes.
  const request = Object.assign(Readable.from([body]), {
    method,
    url: asked.url,
    originalUrl: `${pathname.replace(/\/+$/, '')}${asked.url}`,
    socket,
    httpVersionMajor,
    headers: {
      ...asked.headers,
      'content-length': String(body.length),
      'x-forwarded-proto': protocol.slice(0, -1),
      'x-forwarded-host': host
    }
  }) as unknown as IncomingMessage
  const inner = provider.createContext(request, ctx.res)
  inner.state = ctx.state
  const [answer] = provider.middleware
  await answer?.(inner, async () => undefined)
  const { status, body: responseBody } = inner
  ctx.body = responseBody
  ctx.status = status
}

/** Of the headers of a request, those of these names that it has. */
export function pickHeaders({ req }: Context, ...names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = req.headers[name]
      return typeof value === 'string' ? [[name, value]] : []
    })
  )
}
