import type { Middleware } from 'koa'
import type { EditRunner } from '../../access/audit/edit.ts'
import { accountPage } from '../accountPage/accountPage.ts'
import type { IdentityProviderSettings } from '../login/identityProvider.ts'
import { interactions } from '../login/interactions.ts'
import type { OidcProviderDependencies as ProviderDependencies } from '../provider/createOidcProvider.ts'
import { currentOidcProvider } from '../provider/currentOidcProvider.ts'
import { createClientDocumentResolver } from '../registration/clientDocumentResolver.ts'
import { createClientSecretVerifier } from '../secrets/clientSecretVerifier.ts'
import type { SecretHasher } from '../secrets/secretHash.ts'
import { type AccessTokenVerifier, createAccessTokenVerifier } from '../tokens/accessTokenVerifier.ts'
import { createTokenExchange } from '../tokens/tokenExchange.ts'
import { createToolTokenVerifier, type ToolTokenVerifier } from '../tokens/toolTokenVerifier.ts'
import { authorizationServer } from './authorizationServer.ts'
import { createRegistrationEndpoint, type RegistrationLimits } from './registrationEndpoint.ts'

interface Dependencies
  extends Omit<ProviderDependencies, 'verifyClientSecret' | 'tokens' | 'exchange'>,
    RegistrationLimits {
  readonly edit: EditRunner
  readonly hasher: SecretHasher
  /** @throws {HttpError} 429 for an address that started too many logins. */
  readonly limitSignIns: (address: string) => Promise<void>
  /** The upstream login, if configured. */
  readonly upstream: IdentityProviderSettings | undefined
  /** Whether people can sign in with a password. */
  readonly hasPasswords: boolean
}

/** Authenticates callers: issues tokens and verifies them. */
export interface Authentication {
  readonly tokens: AccessTokenVerifier
  readonly toolTokens: ToolTokenVerifier
  /** The routes of the authorization server. */
  readonly routers: readonly Middleware[]
}

/** Creates the authorization server and its parts. */
export function createAuthentication(dependencies: Dependencies): Authentication {
  const verifyClientSecret = createClientSecretVerifier(dependencies)
  const tokens = createAccessTokenVerifier(dependencies)
  const exchange = createTokenExchange(dependencies)
  const providerDependencies = { ...dependencies, verifyClientSecret, tokens, exchange }
  const provider = currentOidcProvider(providerDependencies)
  const register = createRegistrationEndpoint(dependencies)
  const { guardedRequest } = dependencies
  const resolveClientDocument = guardedRequest && createClientDocumentResolver({ ...dependencies, guardedRequest })
  return {
    tokens,
    toolTokens: createToolTokenVerifier(providerDependencies),
    routers: [
      authorizationServer({ ...providerDependencies, provider, register, resolveClientDocument }),
      interactions({ ...dependencies, provider }),
      accountPage({ ...dependencies, provider })
    ]
  }
}
