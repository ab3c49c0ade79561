import type { interactionPolicy } from 'oidc-provider'
import type { Store } from '../../storage/store.ts'
import type { OidcProviderModule } from './loadOidcProvider.ts'

/** When people are asked to sign in and to consent: as `oidc-provider` has it, and in one case more. */
export function createPromptPolicy(
  { interactionPolicy: { base, Check } }: OidcProviderModule,
  store: Store
): interactionPolicy.DefaultPolicy {
  const prompts = base()
  // Anybody can give such an application any name, so what was allowed to one once says nothing of the next request.
  const stranger = new Check('client_is_dynamic', 'it registered itself', 'interaction_required', async ({ oidc }) => {
    if (oidc.result?.consent) return false
    const client = await store.collection('clients').get({ clientId: oidc.client?.clientId ?? '' })
    return client?.isDynamic ?? true
  })
  prompts.get('consent')?.checks.add(stranger)
  return prompts
}
