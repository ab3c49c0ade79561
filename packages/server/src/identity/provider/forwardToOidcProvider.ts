import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { omitUndefined } from '@burgee/kit'
import { withoutTrailingSlashes } from '@burgee/kit/text'
import type { Context } from 'koa'
import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
// @ts-expect-error The package has no declarations of this module.
import requestContext from 'oidc-provider/lib/helpers/als.js'
import { formatClientSubject } from '../../access/permissions/findIdentity.ts'
import { DEVICE_CODE_GRANT } from '../oauth/deviceCodeGrant.ts'
import { TOKEN_EXCHANGE_GRANT } from './tokenExchangeGrant.ts'

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
 * client are passed in the headers of a proxy, because those of the request cannot be trusted. Returns the id of
 * the client that the request names; a success means that it was authenticated.
 * @throws {StoreUnavailableError} if the store failed.
 */
export async function forwardToOidcProvider(
  ctx: Context,
  provider: Provider,
  publicUrl: string,
  forwarded: ForwardedRequest
): Promise<string | undefined> {
  const { protocol, host, pathname } = new URL(publicUrl)
  const body = Buffer.from(forwarded.body ?? '')
  const { method, socket, httpVersionMajor } = ctx.req
  // Koa reads these members of a request, and its body.
  const request = Object.assign(Readable.from([body]), {
    method,
    url: forwarded.url,
    originalUrl: `${withoutTrailingSlashes(pathname)}${forwarded.url}`,
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
  await inAsyncContext(async () => handle?.(inner, async () => undefined))
  recordCaller(ctx, inner.oidc)
  // Its own response would be a 500.
  if (ctx.state.storeFailure) throw ctx.state.storeFailure
  const { status, body: responseBody } = inner
  ctx.body = responseBody
  ctx.status = status
  // `oidc-provider` adds this member while it handles the request.
  return (inner as Partial<KoaContextWithOIDC>).oidc?.client?.clientId
}

/** An `AsyncLocalStorage`. */
const asyncContext: { readonly disable: () => void } = requestContext

let inProgress = 0

/**
 * Runs the work of `oidc-provider`, and ends its async context tracking afterwards: on Node.js 20 and 22, it would cost
 * all later evaluations a tenth of their CPU time (ADR 98).
 */
async function inAsyncContext(work: () => Promise<void>): Promise<void> {
  inProgress++
  try {
    await work()
  } finally {
    inProgress--
    if (inProgress === 0) asyncContext.disable()
  }
}

/** Records whom the request was for: a client that exists, and the holder of a valid code or refresh token. */
function recordCaller({ state }: Context, oidc: KoaContextWithOIDC['oidc'] | undefined): void {
  const { Client: client, Account: account, AccessToken: token, ClientCredentials: own } = oidc?.entities ?? {}
  const method = oidc?.params?.grant_type
  const idp_user = account?.accountId ?? token?.accountId ?? (own && client ? formatClientSubject(client) : undefined)
  state.access = {
    ...omitUndefined({
      clientId: client?.clientId,
      method: typeof method === 'string' && GRANT_TYPES.has(method) ? method : undefined,
      idp_user
    }),
    ...state.access
  }
}

const GRANT_TYPES: ReadonlySet<string> = new Set([
  'authorization_code',
  'client_credentials',
  'refresh_token',
  DEVICE_CODE_GRANT,
  TOKEN_EXCHANGE_GRANT
])

/** Picks the headers with these names. */
export function pickHeaders({ req }: Context, ...names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = req.headers[name]
      return typeof value === 'string' ? [[name, value]] : []
    })
  )
}
