import type { interactionPolicy } from 'oidc-provider'
import type { Store } from '../../storage/store.ts'
import type { OidcProviderModule } from './loadOidcProvider.ts'

/** When to prompt for login and consent: the default policy of `oidc-provider`, and one more case. */
export function createPromptPolicy(
  { interactionPolicy: { base, Check } }: OidcProviderModule,
  store: Store
): interactionPolicy.DefaultPolicy {
  const prompts = base()
  // Such an application can use any name, so an earlier consent does not apply to a new request.
  const stranger = new Check('client_is_dynamic', 'it registered itself', 'interaction_required', async ({ oidc }) => {
    if (oidc.result?.consent) return false
    const client = await store.collection('clients').get({ clientId: oidc.client?.clientId ?? '' })
    return client?.isDynamic ?? true
  })
  prompts.get('consent')?.checks.add(stranger)
  return prompts
}
