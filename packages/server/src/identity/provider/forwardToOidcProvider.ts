import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { Context } from 'koa'
import type { Provider } from 'oidc-provider'

/** The request to forward in place of the original one. */
export interface ForwardedRequest {
  /** The path with the query. */
  readonly url: string
  /** The headers to forward. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/**
 * Forwards a request to `oidc-provider`, which is a separate Koa application. The public URL and the address of the
 * client are passed in the headers of a proxy, because those of the request cannot be trusted.
 */
export async function forwardToOidcProvider(
  ctx: Context,
  provider: Provider,
  publicUrl: string,
  forwarded: ForwardedRequest
): Promise<void> {
  const { protocol, host, pathname } = new URL(publicUrl)
  const body = Buffer.from(forwarded.body ?? '')
  const { method, socket, httpVersionMajor } = ctx.req
  // Koa reads these members of a request, and its body.
  const request = Object.assign(Readable.from([body]), {
    method,
    url: forwarded.url,
    originalUrl: `${pathname.replace(/\/+$/, '')}${forwarded.url}`,
    socket,
    httpVersionMajor,
    headers: {
      ...forwarded.headers,
      'content-length': String(body.length),
      'x-forwarded-for': ctx.ip,
      'x-forwarded-proto': protocol.slice(0, -1),
      'x-forwarded-host': host
    }
  }) as unknown as IncomingMessage
  const inner = provider.createContext(request, ctx.res)
  inner.state = ctx.state
  const [handle] = provider.middleware
  await handle?.(inner, async () => undefined)
  const { status, body: responseBody } = inner
  ctx.body = responseBody
  ctx.status = status
}

/** Picks the headers with these names. */
export function pickHeaders({ req }: Context, ...names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = req.headers[name]
      return typeof value === 'string' ? [[name, value]] : []
    })
  )
}
