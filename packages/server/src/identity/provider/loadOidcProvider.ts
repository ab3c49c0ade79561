import type { Logger } from '../../lib/logger.ts'

/** The module `oidc-provider`. */
export type OidcProviderModule = typeof import('oidc-provider')

let loaded: Promise<OidcProviderModule> | undefined

/**
 * Loads `oidc-provider` once and on demand, because loading takes a while and only token requests need it. Its console
 * messages about the runtime go to the log.
 */
export function loadOidcProvider(log: Logger): Promise<OidcProviderModule> {
  loaded ??= loadQuietly(log)
  return loaded
}

async function loadQuietly(log: Logger): Promise<OidcProviderModule> {
  const { info, warn } = console
  const divert = (print: typeof warn) => {
    return (...args: unknown[]) =>
      /\boidc-provider\b/.test(String(args[0])) ? log.debug(String(args[0])) : print(...args)
  }
  Object.assign(console, { info: divert(info), warn: divert(warn) })
  try {
    return await import('oidc-provider')
  } finally {
    Object.assign(console, { info, warn })
  }
}
