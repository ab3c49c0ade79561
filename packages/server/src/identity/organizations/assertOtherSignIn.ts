import { OptionError } from '../../lib/errors.ts'
import type { Store } from '../../storage/store.ts'

/**
 * Asserts that people can sign in without passwords: through an identity provider, or an active person by passkey who
 * is not linked to a provider.
 * @throws {OptionError}
 */
export async function assertOtherSignIn(store: Store, { oidcIssuer }: { readonly oidcIssuer: string }): Promise<void> {
  if (oidcIssuer !== '') return
  for (const { _user } of (await store.collection('passkeys').list()).items) {
    const user = await store.collection('users').get({ _id: _user })
    if (user && !user.isDisabled && !user.identity) return
  }
  throw new OptionError(
    'BURGEE_PASSWORDS cannot be off: no one could sign in. Set BURGEE_OIDC_ISSUER, or add a passkey first'
  )
}
