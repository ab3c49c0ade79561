import { omitUndefined } from '@burgee/kit'
import type { Context } from 'koa'
import type { Client, Configuration, errors, Provider } from 'oidc-provider'
import { HttpError } from '../../lib/errors.ts'
import type { IdGenerator } from '../../lib/idGenerator.ts'
import type { Logger } from '../../lib/logger.ts'
import type { GuardedRequest } from '../../lib/outbound/guardedRequest.ts'
import { COMMAND_LINE_CLIENT_ID } from '../../storage/resources/organization.ts'
import { type Store, StoreUnavailableError } from '../../storage/store.ts'
import { assertClientAccepted } from '../clients/assertClientAccepted.ts'
import { lifetimes } from '../keys/lifetimes.ts'
import type { SigningKeys } from '../keys/signingKeys.ts'
import { renderOidcError } from '../login/pages/renderFailure.ts'
import { OAuthHttpError } from '../oauth/oauthError.ts'
import { paths } from '../oauth/paths.ts'
import type { ProtectedResources } from '../oauth/protectedResources.ts'
import { identityScopes } from '../oauth/scopes.ts'
import { toIssuer, toPublicPath } from '../oauth/toIssuer.ts'
import type { VerifyClientSecret } from '../secrets/clientSecretVerifier.ts'
import type { AccessTokenVerifier } from '../tokens/accessTokenVerifier.ts'
import type { ExchangeToken } from '../tokens/tokenExchange.ts'
import { createRefreshAssertion } from '../upstream/refreshAssertion.ts'
import type { UpstreamSessions } from '../upstream/upstreamSessions.ts'
import { createAccessTokenCustomizer } from './accessTokenCustomizer.ts'
import { createDeviceFlow } from './deviceFlow.ts'
import { findAccount } from './findAccount.ts'
import { findExistingGrant } from './findExistingGrant.ts'
import type { OidcProviderModule } from './loadOidcProvider.ts'
import { createPromptPolicy } from './promptPolicy.ts'
import { createResourceIndicators } from './resourceIndicators.ts'
import { cookieConfiguration } from './sessions/cookieConfiguration.ts'
import { keepSessions } from './sessions/keepSessions.ts'
import { createStoreAdapter } from './storeAdapter.ts'
import { createTokenExchangeGrant, TOKEN_EXCHANGE_GRANT, tokenExchangeParameters } from './tokenExchangeGrant.ts'

/** The dependencies of the authorization server. */
export interface OidcProviderDependencies {
  readonly store: Store
  readonly keys: SigningKeys
  readonly ids: IdGenerator
  readonly log: Logger
  readonly now: () => number
  /** The public URL of the server, known once it listens. */
  readonly publicUrl: () => string
  /** The known audiences of tokens. */
  readonly resources: () => ProtectedResources
  readonly verifyClientSecret: VerifyClientSecret
  readonly tokens: AccessTokenVerifier
  readonly exchange: ExchangeToken
  readonly upstreamSessions: UpstreamSessions
  /** Whether dynamic client registration is enabled. */
  readonly isOpenToClients: boolean
  /** Resolves client metadata documents, if enabled. */
  readonly guardedRequest?: GuardedRequest | undefined
}

/** Configures `oidc-provider` for the management API: client credentials, and authorization codes for people. */
export function createOidcProvider(module: OidcProviderModule, dependencies: OidcProviderDependencies): Provider {
  const resources = dependencies.resources()
  const grantTypes = resources.toolServers.length > 0 ? [TOKEN_EXCHANGE_GRANT] : []
  const configuration = createConfiguration(module, { ...dependencies, resources, grantTypes })
  const provider = new module.Provider(toIssuer(dependencies.publicUrl()), configuration)
  // The public URL comes from the settings, never from the request.
  provider.proxy = true
  provider.Client.prototype.compareClientSecret = function (secret) {
    return compareSecret(module, this, secret, dependencies)
  }
  keepSessions(provider, module)
  for (const name of grantTypes) {
    provider.registerGrantType(name, createTokenExchangeGrant(module, resources, dependencies), tokenExchangeParameters)
  }
  logErrors(provider, dependencies)
  return provider
}

interface ConfigurationDependencies extends Omit<OidcProviderDependencies, 'resources'> {
  readonly resources: ProtectedResources
  /** Further grant types of clients with a secret. */
  readonly grantTypes: readonly string[]
}

function createConfiguration(module: OidcProviderModule, dependencies: ConfigurationDependencies): Configuration {
  const { store, keys, resources } = dependencies
  // A request that is in progress during a key rotation keeps its keys.
  const { privateJwks } = keys
  const assertConfirmed = createRefreshAssertion(module, dependencies)
  const { configuration, assertGranted } = createResourceIndicators(module, resources, privateJwks[0]?.kid)
  return {
    ...endpointConfiguration(module, dependencies),
    adapter: createStoreAdapter(module, dependencies),
    jwks: { keys: [...privateJwks] },
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
    responseTypes: ['code'],
    pkce: { required: () => true },
    scopes: [...identityScopes],
    claims: { openid: ['sub'], profile: ['name', 'picture'], email: ['email'] },
    subjectTypes: ['public'],
    // The page for devices stores sessions of browsers in which nobody is signed in.
    ttl: { ...lifetimes, Session: (_, { accountId }) => (accountId ? lifetimes.Session : lifetimes.Interaction) },
    findAccount: (_, id) => findAccount(store, id),
    loadExistingGrant: (ctx) => findExistingGrant(ctx, dependencies),
    issueRefreshToken: async (_, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: async (ctx) => {
      assertGranted(ctx)
      await assertConfirmed(ctx)
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
      deviceFlow: createDeviceFlow(dependencies.publicUrl()),
      revocation: { enabled: true, allowedPolicy: async (_ctx, client, token) => token.clientId === client.clientId },
      resourceIndicators: configuration
    },
    formats: { customizers: { jwt: createAccessTokenCustomizer(module, dependencies) } },
    renderError: (ctx, out) => {
      if (ctx.accepts('json', 'html') === 'html') renderOidcError(ctx, { ...omitUndefined(out) })
      else ctx.body = out
    }
  }
}

/** The endpoints, and discovery metadata that `oidc-provider` does not know. */
function endpointConfiguration(module: OidcProviderModule, dependencies: ConfigurationDependencies): Configuration {
  const { keys, isOpenToClients, guardedRequest } = dependencies
  const publicUrl = dependencies.publicUrl()
  const issuer = toIssuer(publicUrl)
  const { signIn, token, authorize, jwks, revoke, register, userinfo, deviceAuthorization, device } = paths
  return {
    cookies: cookieConfiguration(keys, publicUrl),
    routes: {
      token,
      authorization: authorize,
      jwks,
      revocation: revoke,
      device_authorization: deviceAuthorization,
      code_verification: device
    },
    interactions: {
      policy: createPromptPolicy(module, dependencies),
      url: (_, { uid }) => toPublicPath(publicUrl, `${signIn}/${uid}`)
    },
    discovery: {
      userinfo_endpoint: `${issuer.slice(0, -1)}${userinfo}`,
      burgee_cli_client_id: COMMAND_LINE_CLIENT_ID,
      ...(isOpenToClients ? { registration_endpoint: `${issuer.slice(0, -1)}${register}` } : {}),
      ...(guardedRequest ? { client_id_metadata_document_supported: true } : {})
    }
  }
}

/**
 * Whether a secret belongs to a client. Checks the restrictions of the client afterwards, so that they are not
 * revealed.
 */
async function compareSecret(
  { errors, Provider }: OidcProviderModule,
  { clientId, clientSecret }: Client,
  secret: string,
  { verifyClientSecret, store, now }: OidcProviderDependencies
): Promise<boolean> {
  const ctx = Provider.ctx
  if (!ctx) throw new Error('a client secret was compared outside of a request')
  ctx.state.hasTriedSecret = true
  try {
    const isCorrect = await verifyClientSecret({ clientId, address: ctx.ip, secret, verifier: clientSecret })
    if (isCorrect) await assertClientAccepted(ctx, clientId, { store, now })
    return isCorrect
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    ctx.set({ ...error.headers })
    const code = error instanceof OAuthHttpError ? error.error : 'temporarily_unavailable'
    const refusal = new errors.CustomOIDCProviderError(code, error.message)
    throw Object.assign(refusal, { status: error.status, statusCode: error.status })
  }
}

function logErrors(provider: Provider, { log }: OidcProviderDependencies): void {
  const logRejection = (
    { state: { requestId } }: Context,
    { error, error_detail: detail }: errors.OIDCProviderError
  ) => {
    log.debug({ requestId, error, detail }, 'an authorization request was rejected')
  }
  provider.on('grant.error', logRejection).on('revocation.error', logRejection).on('authorization.error', logRejection)
  provider.on('server_error', (ctx: Context, error) => {
    const { requestId } = ctx.state
    log.error({ requestId, err: error }, 'an authorization request failed unexpectedly')
    if (error instanceof StoreUnavailableError) ctx.state.storeFailure = error
    if (ctx.type === 'text/html' || ctx.status < 400) return
    const description = `internal server error; see the server log for request id ${requestId}`
    ctx.body = { error: 'server_error', error_description: description }
  })
}
