import type { Provider } from 'oidc-provider'
import { createProvider, type Dependencies } from './createProvider.ts'
import { loadProvider } from './loadProvider.ts'

/** The provider as it is at the moment: made when it is first asked for, and anew when the signing keys have changed. */
export function liveProvider(dependencies: Dependencies): () => Promise<Provider> {
  const { keys, log } = dependencies
  let made: { readonly privateJwks: unknown; readonly provider: Provider } | undefined
  return async () => {
    const module = await loadProvider(log)
    const { privateJwks } = keys
    if (made?.privateJwks !== privateJwks) made = { privateJwks, provider: createProvider(module, dependencies) }
    return made.provider
  }
}
