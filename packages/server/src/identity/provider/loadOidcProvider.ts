import type { Logger } from '../../lib/logger.ts'

/** The module `oidc-provider`. */
export type OidcProviderModule = typeof import('oidc-provider')

let loaded: Promise<OidcProviderModule> | undefined

/**
 * Loads `oidc-provider`, once. It takes a while and only those who ask for tokens need it, so it is not loaded with the
 * rest. It prints what it thinks of the runtime; the log gets that instead of the console.
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
