import type { interactionPolicy } from 'oidc-provider'
import type { Store } from '../../storage/store.ts'
import type { OidcProviderModule } from './loadOidcProvider.ts'

/**
 * Prompts for login and consent by the default policy of `oidc-provider`, and always for consent to dynamic clients.
 */
export function createPromptPolicy(
  { interactionPolicy: { base, Check } }: OidcProviderModule,
  store: Store
): interactionPolicy.DefaultPolicy {
  const prompts = base()
  // A dynamic client can use any name, so an earlier consent does not apply to a new request.
  const dynamicClientCheck = new Check(
    'client_is_dynamic',
    'the client registered itself',
    'interaction_required',
    async ({ oidc }) => {
      if (oidc.result?.consent) return false
      const client = await store.collection('clients').get({ clientId: oidc.client?.clientId ?? '' })
      return client?.isDynamic ?? true
    }
  )
  prompts.get('consent')?.checks.add(dynamicClientCheck)
  return prompts
}
