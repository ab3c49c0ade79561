import type { Provider } from 'oidc-provider'
import { createOidcProvider, type OidcProviderDependencies } from './createOidcProvider.ts'
import { loadOidcProvider } from './loadOidcProvider.ts'

/** Returns the current provider: created on first use, and again after a key rotation. */
export function currentOidcProvider(dependencies: OidcProviderDependencies): () => Promise<Provider> {
  const { keys, log } = dependencies
  let current: { readonly privateJwks: unknown; readonly provider: Provider } | undefined
  return async () => {
    const module = await loadOidcProvider(log)
    const { privateJwks } = keys
    if (current?.privateJwks !== privateJwks)
      current = { privateJwks, provider: createOidcProvider(module, dependencies) }
    return current.provider
  }
}
