import type { Context } from 'koa'
import type { Client, errors, KoaContextWithOIDC, Provider } from 'oidc-provider'
import { ApiError } from '../errors.ts'
import { given } from '../given.ts'
import type { Ids } from '../id.ts'
import type { Logger } from '../log.ts'
import type { Store } from '../store/store.ts'
import { accessTokens } from './accessTokens.ts'
import { findAccount } from './accounts.ts'
import { adapter } from './adapter.ts'
import { cookies } from './cookies.ts'
import { earlierGrant } from './interactions/earlierGrant.ts'
import { renderError } from './interactions/failure.ts'
import { policy } from './interactions/policy.ts'
import { issuerOf } from './issuer.ts'
import { lifetimes } from './lifetimes.ts'
import type { ProviderModule } from './loadProvider.ts'
import { paths } from './paths.ts'
import { resourceNamed, resourcesOf } from './resources.ts'
import { apiScopes, identityScopes, unknownIn } from './scopes.ts'
import type { TrySecret } from './secretTrials.ts'
import type { SigningKeys } from './signingKeys.ts'

/** What an authorization server works with. */
export interface Dependencies {
  readonly store: Store
  readonly keys: SigningKeys
  readonly ids: Ids
  readonly log: Logger
  readonly now: () => number
  /** The address under which callers reach the server; known once it listens. */
  readonly publicUrl: () => string
  readonly trySecret: TrySecret
  /** Whether clients may register themselves. */
  readonly isOpenToClients: boolean
}

/** `oidc-provider`, set up for the management API: clients for themselves, and people through clients that they sign in to. */
export function createProvider(module: ProviderModule, dependencies: Dependencies): Provider {
  const { store, keys, isOpenToClients, trySecret } = dependencies
  const publicUrl = dependencies.publicUrl()
  const issuer = issuerOf(publicUrl)
  const { signIn, token, authorize, jwks, revoke, signOut, register, userinfo } = paths
  const demandAudience = audienceGuard(module, publicUrl)
  // A request that is under way when the keys change ends with those it began with.
  const { privateJwks } = keys
  const provider = new module.Provider(issuer, {
    adapter: adapter(module, dependencies),
    jwks: { keys: [...privateJwks] },
    cookies: cookies(keys, publicUrl),
    routes: { token, authorization: authorize, jwks, revocation: revoke, end_session: signOut },
    interactions: {
      policy: policy(module, store),
      url: (_, { uid }) => `${new URL(issuer).pathname.slice(0, -1)}${signIn}/${uid}`
    },
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
    responseTypes: ['code'],
    pkce: { required: () => true },
    scopes: [...identityScopes],
    claims: { openid: ['sub'], profile: ['name', 'picture'], email: ['email'] },
    subjectTypes: ['public'],
    ttl: lifetimes,
    findAccount: (_, id) => findAccount(store, id),
    loadExistingGrant: (ctx) => earlierGrant(ctx, dependencies),
    issueRefreshToken: async (_, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: (ctx) => {
      // Before the token is spent: what is refused has changed nothing.
      demandAudience(ctx)
      return true
    },
    expiresWithSession: async () => false,
    allowOmittingSingleRegisteredRedirectUri: false,
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
      clientCredentials: { enabled: true },
      revocation: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: (ctx) => {
          demandAudience(ctx)
          return resourcesOf(publicUrl)[0]
        },
        useGrantedResource: () => true,
        getResourceServerInfo: (ctx, resource) => {
          demandAudience(ctx, resource)
          const [unknown] = unknownIn(scopeOf(ctx))
          if (unknown !== undefined) throw new module.errors.InvalidScope('this scope is not known', unknown)
          const jwt = { sign: { alg: 'RS256', kid: privateJwks[0]?.kid } } as const
          return { scope: apiScopes.join(' '), audience: resource, accessTokenFormat: 'jwt', jwt }
        }
      }
    },
    formats: { customizers: { jwt: accessTokens(module, dependencies) } },
    discovery: {
      userinfo_endpoint: `${issuer.slice(0, -1)}${userinfo}`,
      ...(isOpenToClients ? { registration_endpoint: `${issuer.slice(0, -1)}${register}` } : {})
    },
    renderError: (ctx, told) => {
      if (ctx.accepts('json', 'html') === 'html') renderError(ctx, { ...given(told) })
      else ctx.body = told
    }
  })
  // What it is told of how it was reached comes from this server's settings, and not from the request.
  provider.proxy = true
  provider.Client.prototype.compareClientSecret = function (secret) {
    return compareSecret(module, this, secret, trySecret)
  }
  report(provider, dependencies)
  return provider
}

/** Refuses those who want a token for something else, and tells them what there are tokens for. */
function audienceGuard({ errors }: ProviderModule, publicUrl: string) {
  return ({ state }: Context, named: string | undefined = state.audience): void => {
    const unknown = state.audience ?? named
    if (unknown === undefined || resourceNamed(unknown, publicUrl)) return
    const expected = resourcesOf(publicUrl).join(' or ')
    const refusal = new errors.AccessDenied(`audience should be ${expected}, got ${unknown.slice(0, 200)}`)
    throw Object.assign(refusal, { status: 403, statusCode: 403 })
  }
}

function scopeOf({ oidc }: KoaContextWithOIDC): string {
  const { scope } = oidc.params ?? {}
  return typeof scope === 'string' ? scope : ''
}

/** Whether a secret is that of a client. */
async function compareSecret(
  { errors, Provider }: ProviderModule,
  { clientId, clientSecret }: Client,
  secret: string,
  trySecret: TrySecret
): Promise<boolean> {
  const ctx = Provider.ctx
  if (!ctx) throw new Error('a secret is tried outside of a request')
  ctx.state.hasTriedSecret = true
  try {
    return await trySecret({ clientId, address: ctx.ip, secret, verifier: clientSecret })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    ctx.set({ ...error.headers })
    const refusal = new errors.CustomOIDCProviderError('temporarily_unavailable', error.message)
    throw Object.assign(refusal, { status: error.status, statusCode: error.status })
  }
}

function report(provider: Provider, { log }: Dependencies): void {
  const refused = ({ state: { requestId } }: Context, { error, error_detail: detail }: errors.OIDCProviderError) => {
    log.debug({ requestId, error, detail }, 'a request for authorization was refused')
  }
  provider.on('grant.error', refused).on('revocation.error', refused).on('authorization.error', refused)
  provider.on('server_error', (ctx: Context, error) => {
    const { requestId } = ctx.state
    log.error({ requestId, err: error }, 'a request for authorization failed unexpectedly')
    if (ctx.type === 'text/html' || ctx.status < 400) return
    const description = `the server failed; its log says how, under request id ${requestId}`
    ctx.body = { error: 'server_error', error_description: description }
  })
}
