import type { Context } from 'koa'
import type { Client, Configuration, errors, Provider } from 'oidc-provider'
import { ApiError } from '../errors.ts'
import { given } from '../given.ts'
import type { Ids } from '../id.ts'
import type { Logger } from '../log.ts'
import type { Reach } from '../outbound/reach.ts'
import type { Store } from '../store/store.ts'
import { accessTokens } from './accessTokens.ts'
import { findAccount } from './accounts.ts'
import { adapter } from './adapter.ts'
import { cookies } from './cookies.ts'
import type { Exchange } from './exchange.ts'
import { exchangeGrant, exchangeParameters, TOKEN_EXCHANGE } from './exchangeGrant.ts'
import { earlierGrant } from './interactions/earlierGrant.ts'
import { renderError } from './interactions/failure.ts'
import { policy } from './interactions/policy.ts'
import { issuerOf } from './issuer.ts'
import { lifetimes } from './lifetimes.ts'
import type { ProviderModule } from './loadProvider.ts'
import { paths } from './paths.ts'
import { resourceIndicators } from './resourceIndicators.ts'
import type { Resources } from './resources.ts'
import { identityScopes } from './scopes.ts'
import type { TrySecret } from './secretTrials.ts'
import type { SigningKeys } from './signingKeys.ts'
import type { Tokens } from './tokens.ts'

/** What an authorization server works with. */
export interface Dependencies {
  readonly store: Store
  readonly keys: SigningKeys
  readonly ids: Ids
  readonly log: Logger
  readonly now: () => number
  /** The address under which callers reach the server; known once it listens. */
  readonly publicUrl: () => string
  /** What there are tokens for, as far as that is known. */
  readonly resources: () => Resources
  readonly trySecret: TrySecret
  readonly tokens: Tokens
  readonly exchange: Exchange
  /** Whether clients may register themselves. */
  readonly isOpenToClients: boolean
  /** Reads documents in which clients describe themselves, where that is wanted. */
  readonly reach?: Reach | undefined
}

/** `oidc-provider`, set up for the management API: clients for themselves, and people through clients that they sign in to. */
export function createProvider(module: ProviderModule, dependencies: Dependencies): Provider {
  const resources = dependencies.resources()
  const grantTypes = resources.toolServers.length > 0 ? [TOKEN_EXCHANGE] : []
  const configuration = configurationOf(module, { ...dependencies, resources, grantTypes })
  const provider = new module.Provider(issuerOf(dependencies.publicUrl()), configuration)
  // What it is told of how it was reached comes from this server's settings, and not from the request.
  provider.proxy = true
  provider.Client.prototype.compareClientSecret = function (secret) {
    return compareSecret(module, this, secret, dependencies.trySecret)
  }
  for (const name of grantTypes) {
    provider.registerGrantType(name, exchangeGrant(module, resources, dependencies), exchangeParameters)
  }
  report(provider, dependencies)
  return provider
}

interface Situation extends Omit<Dependencies, 'resources'> {
  readonly resources: Resources
  /** What clients with a secret may ask for beside tokens of their own. */
  readonly grantTypes: readonly string[]
}

function configurationOf(module: ProviderModule, situation: Situation): Configuration {
  const { store, keys, resources } = situation
  // A request that is under way when the keys change ends with those it began with.
  const { privateJwks } = keys
  const { feature, demandGranted } = resourceIndicators(module, resources, privateJwks[0]?.kid)
  return {
    ...addressesOf(module, situation),
    adapter: adapter(module, situation),
    jwks: { keys: [...privateJwks] },
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
    responseTypes: ['code'],
    pkce: { required: () => true },
    scopes: [...identityScopes],
    claims: { openid: ['sub'], profile: ['name', 'picture'], email: ['email'] },
    subjectTypes: ['public'],
    ttl: lifetimes,
    findAccount: (_, id) => findAccount(store, id),
    loadExistingGrant: (ctx) => earlierGrant(ctx, situation),
    issueRefreshToken: async (_, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: (ctx) => {
      demandGranted(ctx)
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
      revocation: { enabled: true, allowedPolicy: async (_ctx, client, token) => token.clientId === client.clientId },
      resourceIndicators: feature
    },
    formats: { customizers: { jwt: accessTokens(module, situation) } },
    renderError: (ctx, told) => {
      if (ctx.accepts('json', 'html') === 'html') renderError(ctx, { ...given(told) })
      else ctx.body = told
    }
  }
}

/** Where everything is, and what the description says of that which `oidc-provider` does not know. */
function addressesOf(module: ProviderModule, situation: Situation): Configuration {
  const { store, keys, isOpenToClients, reach } = situation
  const publicUrl = situation.publicUrl()
  const issuer = issuerOf(publicUrl)
  const { signIn, token, authorize, jwks, revoke, signOut, register, userinfo } = paths
  return {
    cookies: cookies(keys, publicUrl),
    routes: { token, authorization: authorize, jwks, revocation: revoke, end_session: signOut },
    interactions: {
      policy: policy(module, store),
      url: (_, { uid }) => `${new URL(issuer).pathname.slice(0, -1)}${signIn}/${uid}`
    },
    discovery: {
      userinfo_endpoint: `${issuer.slice(0, -1)}${userinfo}`,
      ...(isOpenToClients ? { registration_endpoint: `${issuer.slice(0, -1)}${register}` } : {}),
      ...(reach ? { client_id_metadata_document_supported: true } : {})
    }
  }
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
