import type { KoaContextWithOIDC } from 'oidc-provider'
import type { Confirmation, UpstreamSessions } from './upstreamSessions.ts'

/**
 * Creates the check of a refresh: the identity provider confirms the session of the refresh token, and the groups and
 * roles are updated. Rejects the refresh before its token is consumed.
 */
export function createRefreshAssertion(
  { errors }: Pick<typeof import('oidc-provider'), 'errors'>,
  { upstreamSessions }: { readonly upstreamSessions: UpstreamSessions }
): (ctx: KoaContextWithOIDC) => Promise<void> {
  return async ({ oidc, state }) => {
    const { sessionUid } = oidc.entities.RefreshToken ?? {}
    if (sessionUid === undefined) return
    const confirmation = await upstreamSessions.confirm(sessionUid)
    if (confirmation === 'valid') return
    const { reason, description } = refusals[confirmation]
    state.access = { ...state.access, reason }
    const rejection = new errors.CustomOIDCProviderError('invalid_grant', description)
    throw Object.assign(rejection, { status: 400, statusCode: 400 })
  }
}

const refusals: Readonly<
  Record<Exclude<Confirmation, 'valid'>, { readonly reason: string; readonly description: string }>
> = {
  refused: {
    reason: 'provider_refused',
    description: 'the identity provider ended the session; the person should sign in again'
  },
  unconfirmed: {
    reason: 'provider_unavailable',
    description: 'the identity provider could not confirm the session for too long; the person should sign in again'
  }
}
