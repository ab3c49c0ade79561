import { apiScopes } from '@burgee/contract'
import type { Context, Middleware } from 'koa'
import type { Provider } from 'oidc-provider'
import { methodNotAllowed } from '../../lib/errors.ts'
import type { Logger } from '../../lib/logger.ts'
import { renderFailure } from '../login/pages/renderFailure.ts'
import { discoveryPaths, isProgramPath, paths } from '../oauth/paths.ts'
import { identityScopes } from '../oauth/scopes.ts'
import { toIssuer } from '../oauth/toIssuer.ts'
import type { OidcProviderDependencies as ProviderDependencies } from '../provider/createOidcProvider.ts'
import { forwardToOidcProvider, pickHeaders } from '../provider/forwardToOidcProvider.ts'
import type { AccessTokenVerifier } from '../tokens/accessTokenVerifier.ts'
import type { ExchangeSubjectToken } from '../workloads/exchange/exchangeSubjectToken.ts'
import { type AuthorizationDependencies, createAuthorizationEndpoint } from './authorizationEndpoint.ts'
import { createDeviceEndpoints } from './deviceEndpoints.ts'
import { createTokenEndpoint } from './tokenEndpoint.ts'
import { userinfo } from './userinfo.ts'

interface Dependencies extends ProviderDependencies, AuthorizationDependencies {
  readonly provider: () => Promise<Provider>
  readonly tokens: AccessTokenVerifier
  /** Handles dynamic client registration, if enabled. */
  readonly register: (ctx: Context) => Promise<void>
  /** Handles logout tokens of the identity provider, if one is configured. */
  readonly logOut: ((ctx: Context) => Promise<void>) | undefined
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
  const { provider, keys, publicUrl, tokens, store, register, logOut } = dependencies
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
  const authorization = createAuthorizationEndpoint(dependencies, forward)
  const authorize = {
    operation: 'authorize',
    methods: ['GET', 'POST'],
    isForPeople: true,
    handle: authorization.authorize
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
    [paths.authorize, authorize],
    [paths.authorizeAlias, authorize],
    [
      `${paths.authorize}/{uid}`,
      {
        operation: 'authorize',
        methods: ['GET'],
        isForPeople: true,
        handle: authorization.resume
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
 * Returns the path under which the server knows a discovery document. Clients also try the issuer's path appended
 * (RFC 8414 §3.1), and a trailing slash.
 */
function toDiscoveryPath(path: string, publicUrl: string): string {
  const { pathname } = new URL(toIssuer(publicUrl))
  const suffix = pathname.slice(0, -1)
  const bare = path.replace(/\/$/, '')
  return suffix && bare.endsWith(suffix) ? bare.slice(0, -suffix.length) : bare
}
