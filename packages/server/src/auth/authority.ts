import type { Middleware } from 'koa'
import type { MakeEdit } from '../audit/edit.ts'
import type { Attempts } from '../secrets/attempts.ts'
import { authorizationServer } from './authorizationServer.ts'
import { clientDocuments } from './clientDocuments.ts'
import type { Dependencies as ProviderDependencies } from './createProvider.ts'
import { createExchange } from './exchange.ts'
import type { UpstreamSettings } from './interactions/identityProvider.ts'
import { interactions } from './interactions/interactions.ts'
import { liveProvider } from './liveProvider.ts'
import { type RegistrationLimits, registration } from './registration.ts'
import { createSecretTrials } from './secretTrials.ts'
import { createTokens, type Tokens } from './tokens.ts'
import { createToolTokens, type ToolTokens } from './toolTokens.ts'

interface Dependencies extends Omit<ProviderDependencies, 'trySecret' | 'tokens' | 'exchange'>, RegistrationLimits {
  readonly edit: MakeEdit
  readonly attempts: Attempts
  /** @throws {ApiError} 429 for an address from which too many have begun to sign in. */
  readonly limitSignIns: (address: string) => Promise<void>
  /** Where else people can sign in. */
  readonly upstream: UpstreamSettings | undefined
}

/** Who lets callers in: it gives tokens out, and knows them again. */
export interface Authority {
  readonly tokens: Tokens
  readonly toolTokens: ToolTokens
  /** What answers those who want to sign in or want a token. */
  readonly surfaces: readonly Middleware[]
}

/** Puts the authorization server together. */
export function createAuthority(dependencies: Dependencies): Authority {
  const trySecret = createSecretTrials(dependencies.attempts)
  const tokens = createTokens(dependencies)
  const exchange = createExchange(dependencies)
  const whole = { ...dependencies, trySecret, tokens, exchange }
  const provider = liveProvider(whole)
  const register = registration(dependencies)
  const { reach } = dependencies
  const meet = reach && clientDocuments({ ...dependencies, reach })
  return {
    tokens,
    toolTokens: createToolTokens(whole),
    surfaces: [authorizationServer({ ...whole, provider, register, meet }), interactions({ ...dependencies, provider })]
  }
}
