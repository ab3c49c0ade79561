import type { interactionPolicy } from 'oidc-provider'
import type { Store } from '../../storage/store.ts'
import type { UpstreamSessions } from '../upstream/upstreamSessions.ts'
import type { LoginResult } from './isRevoked.ts'
import type { OidcProviderModule } from './loadOidcProvider.ts'

/**
 * Prompts for login and consent by the default policy of `oidc-provider`, always for consent to dynamic clients, and
 * for login when the identity provider has ended the session.
 */
export function createPromptPolicy(
  { interactionPolicy: { base, Check } }: OidcProviderModule,
  { store, upstreamSessions }: Dependencies
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
  const upstreamSessionCheck = new Check(
    'upstream_session_ended',
    'the identity provider ended the session',
    'login_required',
    async ({ oidc: { session, result, entities } }) => {
      if (!session) return false
      // `finishLogin` writes the result of a login.
      const login = result?.login as LoginResult | undefined
      if (session.accountId === undefined || (login && login.upstreamSession === undefined)) return false
      const isValid = login?.upstreamSession
        ? await upstreamSessions.bind(login.upstreamSession, session.uid)
        : (await upstreamSessions.confirm(session.uid)) === 'valid'
      if (isValid) return false
      // The next login must not continue the ended session or its grant.
      delete session.accountId
      Reflect.deleteProperty(entities, 'Grant')
      return true
    }
  )
  prompts.get('login')?.checks.add(upstreamSessionCheck)
  return prompts
}

interface Dependencies {
  readonly store: Store
  readonly upstreamSessions: UpstreamSessions
}
