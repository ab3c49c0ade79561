import type { Middleware } from 'koa'
import type { MakeEdit } from '../audit/edit.ts'
import type { Attempts } from '../secrets/attempts.ts'
import { authorizationServer } from './authorizationServer.ts'
import type { Dependencies as ProviderDependencies } from './createProvider.ts'
import type { UpstreamSettings } from './interactions/identityProvider.ts'
import { interactions } from './interactions/interactions.ts'
import { liveProvider } from './liveProvider.ts'
import { type RegistrationLimits, registration } from './registration.ts'
import { createSecretTrials } from './secretTrials.ts'
import { createTokens, type Tokens } from './tokens.ts'

interface Dependencies extends Omit<ProviderDependencies, 'trySecret'>, RegistrationLimits {
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
  /** What answers those who want to sign in or want a token. */
  readonly surfaces: readonly Middleware[]
}

/** Puts the authorization server together. */
export function createAuthority(dependencies: Dependencies): Authority {
  const trySecret = createSecretTrials(dependencies.attempts)
  const provider = liveProvider({ ...dependencies, trySecret })
  const tokens = createTokens(dependencies)
  const register = registration(dependencies)
  return {
    tokens,
    surfaces: [
      authorizationServer({ ...dependencies, trySecret, provider, tokens, register }),
      interactions({ ...dependencies, provider })
    ]
  }
}
