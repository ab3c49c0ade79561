import type { Context } from 'koa'
import type { Configuration, Provider } from 'oidc-provider'
import type { Logger } from '../log.ts'
import type { Store } from '../store/store.ts'
import { clientAdapter } from './clientAdapter.ts'
import { isAudience, issuerOf } from './issuer.ts'
import type { ProviderModule } from './loadProvider.ts'
import type { SigningKeys } from './signingKeys.ts'
import { verifies } from './verifier.ts'

/** What an authorization server works with. */
export interface Dependencies {
  readonly store: Store
  readonly keys: SigningKeys
  readonly log: Logger
  readonly now: () => number
  /** The address under which callers reach the server; known once it listens. */
  readonly publicUrl: () => string
}

/** Where tokens are to be had. */
export const TOKEN_PATH = '/oauth/token'

/** `oidc-provider`, set up to do the client credentials grant for the management API and nothing else. */
export function createProvider(module: ProviderModule, dependencies: Dependencies): Provider {
  const { store, keys, log, publicUrl } = dependencies
  const provider = new module.Provider(issuerOf(publicUrl()), {
    adapter: clientAdapter(store),
    jwks: { keys: [...keys.privateJwks] },
    clientAuthMethods: ['client_secret_basic', 'client_secret_post'],
    clientDefaults: { grant_types: ['client_credentials'], response_types: [], redirect_uris: [] },
    responseTypes: [],
    scopes: [],
    routes: { token: TOKEN_PATH },
    ttl: { ClientCredentials: LIFETIME },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: managementApi(module, publicUrl())
    },
    formats: { customizers: { jwt: claims(module, dependencies) } }
  })
  provider.Client.prototype.compareClientSecret = function (secret) {
    return verifies(secret, this.clientSecret ?? '')
  }
  provider.on('grant.error', ({ state: { requestId } }: Context, { error, error_detail: detail }) => {
    log.debug({ requestId, error, detail }, 'a token was refused')
  })
  provider.on('server_error', (ctx: Context, error) => {
    const { requestId } = ctx.state
    log.error({ requestId, err: error }, 'a token request failed unexpectedly')
    const description = `the server failed; its log says how, under request id ${requestId}`
    ctx.body = { error: 'server_error', error_description: description }
  })
  return provider
}

/** How long an access token is valid, in seconds. */
const LIFETIME = 86_400

type Features = NonNullable<Configuration['features']>

/** The one API there are tokens for: those who name none mean it, those who name another are refused. */
function managementApi({ errors }: ProviderModule, publicUrl: string): Features['resourceIndicators'] {
  const audience = issuerOf(publicUrl)
  const demand = (named: string) => {
    if (isAudience(named, publicUrl)) return
    const refusal = new errors.AccessDenied(`audience should be ${audience}, got ${named.slice(0, 200)}`)
    throw Object.assign(refusal, { status: 403, statusCode: 403 })
  }
  return {
    enabled: true,
    defaultResource: (ctx) => {
      if (ctx.state.audience) demand(ctx.state.audience)
      return audience
    },
    getResourceServerInfo: (_, named) => {
      demand(named)
      return { scope: '', audience, accessTokenFormat: 'jwt', jwt: { sign: { alg: 'RS256' } } }
    }
  }
}

type Customizers = NonNullable<NonNullable<Configuration['formats']>['customizers']>

/** Writes what a client may do into its token, and the times by the server's clock. */
function claims({ errors }: ProviderModule, { store, now }: Dependencies): NonNullable<Customizers['jwt']> {
  return async (_, { clientId = '' }, { payload }) => {
    const client = await store.collection('clients').get({ clientId })
    if (!client) throw new errors.InvalidClientAuth('the client was removed in the meantime')
    const iat = Math.floor(now() / 1000)
    Object.assign(payload, {
      sub: `${clientId}@clients`,
      azp: clientId,
      iat,
      exp: iat + LIFETIME,
      org_id: client._organization,
      permissions: client.permissions
    })
  }
}
