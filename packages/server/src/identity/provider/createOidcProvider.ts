import type { Context } from 'koa'
import type { Client, Configuration, errors, Provider } from 'oidc-provider'
import { ApiError } from '../../lib/errors.ts'
import type { IdGenerator } from '../../lib/idGenerator.ts'
import type { Logger } from '../../lib/logger.ts'
import { omitUndefined } from '../../lib/object.ts'
import type { GuardedRequest } from '../../lib/outbound/guardedRequest.ts'
import type { Store } from '../../storage/store.ts'
import { lifetimes } from '../keys/lifetimes.ts'
import type { SigningKeys } from '../keys/signingKeys.ts'
import { renderOidcError } from '../login/pages/renderFailure.ts'
import type { VerifyClientSecret } from '../secrets/clientSecretVerifier.ts'
import type { AccessTokenVerifier } from '../tokens/accessTokenVerifier.ts'
import { paths } from '../tokens/paths.ts'
import type { ProtectedResources } from '../tokens/protectedResources.ts'
import { identityScopes } from '../tokens/scopes.ts'
import { toIssuer } from '../tokens/toIssuer.ts'
import type { ExchangeToken } from '../tokens/tokenExchange.ts'
import { createAccessTokenCustomizer } from './accessTokenCustomizer.ts'
import { cookieConfiguration } from './cookieConfiguration.ts'
import { findAccount } from './findAccount.ts'
import { findExistingGrant } from './findExistingGrant.ts'
import type { OidcProviderModule } from './loadOidcProvider.ts'
import { createPromptPolicy } from './promptPolicy.ts'
import { createResourceIndicators } from './resourceIndicators.ts'
import { createStoreAdapter } from './storeAdapter.ts'
import { createTokenExchangeGrant, TOKEN_EXCHANGE_GRANT, tokenExchangeParameters } from './tokenExchangeGrant.ts'

/** What an authorization server works with. */
export interface OidcProviderDependencies {
  readonly store: Store
  readonly keys: SigningKeys
  readonly ids: IdGenerator
  readonly log: Logger
  readonly now: () => number
  /** The address under which callers reach the server; known once it listens. */
  readonly publicUrl: () => string
  /** What there are tokens for, as far as that is known. */
  readonly resources: () => ProtectedResources
  readonly verifyClientSecret: VerifyClientSecret
  readonly tokens: AccessTokenVerifier
  readonly exchange: ExchangeToken
  /** Whether clients may register themselves. */
  readonly isOpenToClients: boolean
  /** Reads documents in which clients describe themselves, where that is wanted. */
  readonly guardedRequest?: GuardedRequest | undefined
}

/** `oidc-provider`, set up for the management API: clients for themselves, and people through clients that they sign in to. */
export function createOidcProvider(module: OidcProviderModule, dependencies: OidcProviderDependencies): Provider {
  const resources = dependencies.resources()
  const grantTypes = resources.toolServers.length > 0 ? [TOKEN_EXCHANGE_GRANT] : []
  const configuration = createConfiguration(module, { ...dependencies, resources, grantTypes })
  const provider = new module.Provider(toIssuer(dependencies.publicUrl()), configuration)
  // What it is told of how it was reached comes from this server's settings, and not from the request.
  provider.proxy = true
  provider.Client.prototype.compareClientSecret = function (secret) {
    return compareSecret(module, this, secret, dependencies.verifyClientSecret)
  }
  for (const name of grantTypes) {
    provider.registerGrantType(name, createTokenExchangeGrant(module, resources, dependencies), tokenExchangeParameters)
  }
  report(provider, dependencies)
  return provider
}

interface Situation extends Omit<OidcProviderDependencies, 'resources'> {
  readonly resources: ProtectedResources
  /** What clients with a secret may ask for beside tokens of their own. */
  readonly grantTypes: readonly string[]
}

function createConfiguration(module: OidcProviderModule, situation: Situation): Configuration {
  const { store, keys, resources } = situation
  // A request that is under way when the keys change ends with those it began with.
  const { privateJwks } = keys
  const { configuration, assertGranted } = createResourceIndicators(module, resources, privateJwks[0]?.kid)
  return {
    ...addressesOf(module, situation),
    adapter: createStoreAdapter(module, situation),
    jwks: { keys: [...privateJwks] },
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
    responseTypes: ['code'],
    pkce: { required: () => true },
    scopes: [...identityScopes],
    claims: { openid: ['sub'], profile: ['name', 'picture'], email: ['email'] },
    subjectTypes: ['public'],
    ttl: lifetimes,
    findAccount: (_, id) => findAccount(store, id),
    loadExistingGrant: (ctx) => findExistingGrant(ctx, situation),
    issueRefreshToken: async (_, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: (ctx) => {
      assertGranted(ctx)
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
      resourceIndicators: configuration
    },
    formats: { customizers: { jwt: createAccessTokenCustomizer(module, situation) } },
    renderError: (ctx, out) => {
      if (ctx.accepts('json', 'html') === 'html') renderOidcError(ctx, { ...omitUndefined(out) })
      else ctx.body = out
    }
  }
}

/** Where everything is, and what the description says of that which `oidc-provider` does not know. */
function addressesOf(module: OidcProviderModule, situation: Situation): Configuration {
  const { store, keys, isOpenToClients, guardedRequest } = situation
  const publicUrl = situation.publicUrl()
  const issuer = toIssuer(publicUrl)
  const { signIn, token, authorize, jwks, revoke, signOut, register, userinfo } = paths
  return {
    cookies: cookieConfiguration(keys, publicUrl),
    routes: { token, authorization: authorize, jwks, revocation: revoke, end_session: signOut },
    interactions: {
      policy: createPromptPolicy(module, store),
      url: (_, { uid }) => `${new URL(issuer).pathname.slice(0, -1)}${signIn}/${uid}`
    },
    discovery: {
      userinfo_endpoint: `${issuer.slice(0, -1)}${userinfo}`,
      ...(isOpenToClients ? { registration_endpoint: `${issuer.slice(0, -1)}${register}` } : {}),
      ...(guardedRequest ? { client_id_metadata_document_supported: true } : {})
    }
  }
}

/** Whether a secret is that of a client. */
async function compareSecret(
  { errors, Provider }: OidcProviderModule,
  { clientId, clientSecret }: Client,
  secret: string,
  trySecret: VerifyClientSecret
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

function report(provider: Provider, { log }: OidcProviderDependencies): void {
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
