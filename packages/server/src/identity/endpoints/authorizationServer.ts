import { apiScopes } from '@burgee/contract'
import type { Context, Middleware } from 'koa'
import type { Provider } from 'oidc-provider'
import { findClientRefusal } from '../../access/restrictions/clientRefusal.ts'
import { methodNotAllowed } from '../../lib/errors.ts'
import type { Logger } from '../../lib/logger.ts'
import { renderFailure } from '../login/pages/renderFailure.ts'
import { OAuthHttpError } from '../oauth/oauthError.ts'
import { parseTokenAudience } from '../oauth/parseTokenAudience.ts'
import { discoveryPaths, isProgramPath, paths } from '../oauth/paths.ts'
import { readFormText } from '../oauth/readRequestParameters.ts'
import { identityScopes, withDefaultScope } from '../oauth/scopes.ts'
import { toIssuer } from '../oauth/toIssuer.ts'
import type { OidcProviderDependencies as ProviderDependencies } from '../provider/createOidcProvider.ts'
import { forwardToOidcProvider, pickHeaders } from '../provider/forwardToOidcProvider.ts'
import type { ResolveClient } from '../registration/clientDocumentResolver.ts'
import type { AccessTokenVerifier } from '../tokens/accessTokenVerifier.ts'
import type { ExchangeSubjectToken } from '../workloads/exchange/exchangeSubjectToken.ts'
import { createDeviceEndpoints } from './deviceEndpoints.ts'
import { evictPending, parseAuthorizationRequest } from './pendingLogins.ts'
import { createTokenEndpoint } from './tokenEndpoint.ts'
import { userinfo } from './userinfo.ts'

interface Dependencies extends ProviderDependencies {
  readonly provider: () => Promise<Provider>
  readonly tokens: AccessTokenVerifier
  /** Handles dynamic client registration, if enabled. */
  readonly register: (ctx: Context) => Promise<void>
  /** Handles logout tokens of the identity provider, if one is configured. */
  readonly logOut: ((ctx: Context) => Promise<void>) | undefined
  /** @throws {HttpError} 429 for an address that started too many logins. */
  readonly limitSignIns: (address: string) => Promise<void>
  /** Stores clients that are not created by administrators, before they are looked up. */
  readonly resolveClient: ResolveClient
  /** Exchanges identity tokens of CI jobs. */
  readonly exchangeSubjectToken: ExchangeSubjectToken
}

/** An endpoint of the authorization server. */
interface Endpoint {
  /** The operation name in logs and metrics. */
  readonly operation: string
  readonly methods: readonly string[]
  readonly handle: (ctx: Context) => Promise<void>
  /** Whether browsers open this endpoint: errors are rendered as pages. */
  readonly isForPeople?: boolean
}

/** Serves the endpoints of the authorization server; passes other requests on. */
export function authorizationServer(dependencies: Dependencies): Middleware {
  const { publicUrl, isOpenToClients, log } = dependencies
  const endpoints = createEndpoints(dependencies)
  return async (ctx, next) => {
    const path = ctx.path.startsWith('/.well-known/') ? toDiscoveryPath(ctx.path, publicUrl()) : ctx.path
    const endpoint = endpoints.get(path.replace(RESUMED, '$1/{uid}'))
    if (!endpoint || (path === paths.register && !isOpenToClients)) return next()
    const { operation, methods, handle, isForPeople } = endpoint
    ctx.state.operation = operation
    const work = async () => {
      if (!methods.includes(ctx.method)) throw methodNotAllowed(ctx.path, methods, ctx.method)
      await handle(ctx)
    }
    if (isProgramPath(path)) {
      ctx.state.surface = 'oauth'
      ctx.set('cache-control', 'no-store')
    }
    if (isForPeople) await withErrorPages(ctx, log, work)
    else await work()
  }
}

/** Runs `work`, and renders its errors as pages for browsers. */
async function withErrorPages(ctx: Context, log: Logger, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (ctx.accepts('json', 'html') !== 'html') throw error
    renderFailure(ctx, error, log)
  }
}

/** The continuation URLs after login or consent, below the authorization endpoint and the page for devices. */
const RESUMED = new RegExp(`^(${paths.authorize}|${paths.device})/[\\w-]+$`)

function createEndpoints(dependencies: Dependencies): ReadonlyMap<string, Endpoint> {
  const { provider, keys, publicUrl, resources, tokens, store, now } = dependencies
  const { register, logOut, limitSignIns, resolveClient } = dependencies
  const read = ['GET', 'HEAD']
  const handleToken = createTokenEndpoint(dependencies)
  const device = createDeviceEndpoints(dependencies)
  const forward = async (ctx: Context, url: string) => {
    const headers = pickHeaders(ctx, 'accept', 'cookie')
    await forwardToOidcProvider(ctx, await provider(), publicUrl(), { url, headers })
  }
  const describe = (path: string) => async (ctx: Context) => {
    await forward(ctx, path)
    // The provider learns the scopes of an API when it is first requested.
    Object.assign(Object(ctx.body), { scopes_supported: [...identityScopes, ...apiScopes] })
  }
  const authorization: Endpoint = {
    operation: 'authorize',
    methods: ['GET', 'POST'],
    isForPeople: true,
    handle: async (ctx) => {
      setSecurityHeaders(ctx)
      if (ctx.method === 'POST') return redirectForm(ctx)
      const { parameters, unknown } = parseTokenAudience(
        parseAuthorizationRequest(ctx.querystring, 'query'),
        resources()
      )
      await limitSignIns(ctx.ip)
      await assertNotExpired(parameters.get('client_id') ?? '', { store, now })
      await resolveClient(parameters.get('client_id') ?? '', ctx.ip)
      await evictPending(store, 'Interaction', now())
      ctx.state.audience = unknown
      const [scope, ...others] = parameters.getAll('scope')
      if (others.length === 0) parameters.set('scope', withDefaultScope(scope))
      await forward(ctx, `${paths.authorize}?${parameters}`)
    }
  }
  return new Map<string, Endpoint>([
    ...discoveryPaths.map((path): [string, Endpoint] => [
      path,
      { operation: 'describe', methods: read, handle: describe(path) }
    ]),
    [
      paths.jwks,
      {
        operation: 'jwks',
        methods: read,
        handle: async (ctx) => {
          ctx.body = { keys: keys.publicJwks }
        }
      }
    ],
    [paths.authorize, authorization],
    [paths.authorizeAlias, authorization],
    [
      `${paths.authorize}/{uid}`,
      {
        operation: 'authorize',
        methods: ['GET'],
        isForPeople: true,
        handle: (ctx) => {
          setSecurityHeaders(ctx)
          return forward(ctx, ctx.path)
        }
      }
    ],
    [paths.deviceAuthorization, { operation: 'deviceAuthorization', methods: ['POST'], handle: device.authorize }],
    [paths.device, { operation: 'device', methods: ['GET', 'HEAD', 'POST'], isForPeople: true, handle: device.verify }],
    [`${paths.device}/{uid}`, { operation: 'device', methods: ['GET'], isForPeople: true, handle: device.resume }],
    [paths.token, { operation: 'token', methods: ['POST'], handle: handleToken }],
    [paths.revoke, { operation: 'revoke', methods: ['POST'], handle: handleToken }],
    [
      paths.userinfo,
      {
        operation: 'userinfo',
        methods: ['GET', 'POST'],
        handle: async (ctx) => {
          ctx.body = await userinfo(ctx, { tokens, store })
        }
      }
    ],
    [paths.register, { operation: 'register', methods: ['POST'], handle: register }],
    ...(logOut
      ? [[paths.backchannelLogout, { operation: 'backchannelLogout', methods: ['POST'], handle: logOut }] as const]
      : [])
  ])
}

/**
 * Redirects a form to the same request by GET. Browsers send the session cookie, which is `SameSite=Lax`, with that
 * one, but not with the form of another site.
 * @throws {HttpError} 413 or 415
 */
async function redirectForm(ctx: Context): Promise<void> {
  const parameters = parseAuthorizationRequest(await readFormText(ctx.req), 'form')
  ctx.status = 303
  ctx.set({ location: `?${parameters}`, 'cache-control': 'no-store' })
}

/**
 * Returns the path under which the server knows a discovery document. Clients also try the issuer's path appended
 * (RFC 8414 §3.1), and a trailing slash.
 */
function toDiscoveryPath(path: string, publicUrl: string): string {
  const { pathname } = new URL(toIssuer(publicUrl))
  const suffix = pathname.slice(0, -1)
  const bare = path.replace(/\/$/, '')
  return suffix && bare.endsWith(suffix) ? bare.slice(0, -suffix.length) : bare
}

/** Asserts that people can sign in to a client. @throws {OAuthHttpError} 400 if it has expired. */
async function assertNotExpired(
  clientId: string,
  { store, now }: Pick<ProviderDependencies, 'store' | 'now'>
): Promise<void> {
  const client = await store.collection('clients').get({ clientId })
  const refusal = client && findClientRefusal(client, { address: undefined, now: now() })
  if (refusal) throw new OAuthHttpError(400, 'invalid_client', refusal.message)
}

/** Sets the security headers of pages that `oidc-provider` renders; it adds the hash of its script to the policy. */
function setSecurityHeaders(ctx: Context): void {
  ctx.set({
    'content-security-policy': "default-src 'none'; script-src 'self'; frame-ancestors 'none'; base-uri 'none'",
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer'
  })
}
