import type { Middleware } from 'koa'
import type { EditRunner } from '../../access/audit/edit.ts'
import type { GuardedRequest } from '../../lib/outbound/guardedRequest.ts'
import { COMMAND_LINE_CLIENT_ID } from '../../storage/resources/organization.ts'
import { accountPage } from '../accountPage/accountPage.ts'
import type { DashboardRefusal } from '../dashboard/assertFromDashboard.ts'
import { dashboardRoutes } from '../dashboard/dashboardRoutes.ts'
import { interactions } from '../login/interactions.ts'
import type { OidcProviderDependencies as ProviderDependencies } from '../provider/createOidcProvider.ts'
import { currentOidcProvider } from '../provider/currentOidcProvider.ts'
import { createClientDocumentResolver, type ResolveClient } from '../registration/clientDocumentResolver.ts'
import { ensureCommandLineClient } from '../registration/commandLineClient.ts'
import { createClientSecretVerifier } from '../secrets/clientSecretVerifier.ts'
import type { SecretHasher } from '../secrets/secretHash.ts'
import { type AccessTokenVerifier, createAccessTokenVerifier } from '../tokens/accessTokenVerifier.ts'
import { createTokenExchange } from '../tokens/tokenExchange.ts'
import { createToolTokenVerifier, type ToolTokenVerifier } from '../tokens/toolTokenVerifier.ts'
import { createIdentityProvider, type IdentityProviderSettings } from '../upstream/identityProvider.ts'
import { createUpstreamSessions } from '../upstream/upstreamSessions.ts'
import { createSubjectTokenExchange } from '../workloads/exchange/exchangeSubjectToken.ts'
import { createIssuerKeys } from '../workloads/exchange/issuerKeys.ts'
import { authorizationServer } from './authorizationServer.ts'
import { createBackchannelLogout } from './backchannelLogout.ts'
import { createRegistrationEndpoint, type RegistrationLimits } from './registrationEndpoint.ts'

interface Dependencies
  extends Omit<ProviderDependencies, 'verifyClientSecret' | 'tokens' | 'exchange' | 'upstreamSessions'>,
    RegistrationLimits {
  readonly edit: EditRunner
  readonly hasher: SecretHasher
  /** @throws {HttpError} 429 for an address that started too many logins. */
  readonly limitSignIns: (address: string) => Promise<void>
  /** @throws {HttpError} 429 after too many refused logout tokens from an address. */
  readonly limitRefusedLogouts: (address: string) => Promise<void>
  /** Reads the keys of the issuers of CI jobs. */
  readonly requestKeys: GuardedRequest
  readonly onKeysRead: (issuer: string, isRead: boolean) => void
  /** The allowed clock skew for identity tokens of CI jobs, in seconds. */
  readonly workloadClockSkew: number
  /** The upstream login, if configured. */
  readonly upstream: UpstreamSettings | undefined
  /** The hours for which sessions stay valid while the upstream provider is unavailable. */
  readonly graceHours: number
  /** Whether people can sign in with a password. */
  readonly hasPasswords: boolean
  /** Whether the demo project exists, whose link signs in for the first time. */
  readonly isDemo: boolean
  /** Requests to the sessions of the dashboard wait until this resolves. */
  readonly started: Promise<void>
  readonly onDashboardRefusal: (reason: DashboardRefusal) => void
}

/** The upstream login. */
export interface UpstreamSettings extends IdentityProviderSettings {
  /** Sends requests to the provider. */
  readonly request: GuardedRequest
  /** The timeout of these requests. */
  readonly timeoutMs: number
}

/** Authenticates callers: issues tokens and verifies them. */
export interface Authentication {
  readonly tokens: AccessTokenVerifier
  readonly toolTokens: ToolTokenVerifier
  /** The routes of the authorization server. */
  readonly routers: readonly Middleware[]
  /** The browser sessions of the dashboard. They have their own CORS rules. */
  readonly dashboard: Middleware
}

/** Creates the authorization server and its parts. */
export function createAuthentication(dependencies: Dependencies): Authentication {
  const verifyClientSecret = createClientSecretVerifier(dependencies)
  const tokens = createAccessTokenVerifier(dependencies)
  const exchange = createTokenExchange(dependencies)
  const { upstream } = dependencies
  const identityProvider = upstream && createIdentityProvider(upstream, { ...dependencies, ...upstream })
  const upstreamSessions = createUpstreamSessions({ ...dependencies, identityProvider })
  const logOut = identityProvider && createBackchannelLogout({ ...dependencies, identityProvider })
  const providerDependencies = { ...dependencies, verifyClientSecret, tokens, exchange, upstreamSessions }
  const provider = currentOidcProvider(providerDependencies)
  const register = createRegistrationEndpoint(dependencies)
  const issuerKeys = createIssuerKeys({ ...dependencies, request: dependencies.requestKeys })
  const exchangeSubjectToken = createSubjectTokenExchange({ ...dependencies, issuerKeys })
  const { guardedRequest } = dependencies
  const resolveDocument = guardedRequest && createClientDocumentResolver({ ...dependencies, guardedRequest })
  const resolveClient: ResolveClient = async (clientId, address) => {
    if (clientId === COMMAND_LINE_CLIENT_ID) await ensureCommandLineClient(dependencies)
    else await resolveDocument?.(clientId, address)
  }
  return {
    tokens,
    toolTokens: createToolTokenVerifier(providerDependencies),
    dashboard: dashboardRoutes({ ...dependencies, provider, upstreamSessions }),
    routers: [
      authorizationServer({
        ...providerDependencies,
        provider,
        register,
        logOut,
        resolveClient,
        exchangeSubjectToken
      }),
      interactions({ ...dependencies, provider, identityProvider, upstreamSessions }),
      accountPage({ ...dependencies, provider })
    ]
  }
}
