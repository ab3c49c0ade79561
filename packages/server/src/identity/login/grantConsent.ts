import { type Permission, permissions, permissionsInScope } from '@burgee/contract'
import type { StoredClient } from '../../storage/resources.ts'
import { finishInteraction } from './finishInteraction.ts'
import type { InteractionSession } from './interactionSession.ts'

/** Lets the application do what it asked for; answers where the visit goes on. It is remembered with the grant. */
export async function grantConsent(interactionSession: InteractionSession): Promise<string> {
  const { provider, interaction } = interactionSession
  const { session, params, prompt, grantId } = interaction
  const existing = grantId === undefined ? undefined : await provider.Grant.find(grantId)
  const clientId = String(params.client_id)
  const grant = existing ?? new provider.Grant({ clientId, ...(session ? { accountId: session.accountId } : {}) })
  // What a prompt for consent says is missing, in the words of `oidc-provider`.
  const { missingOIDCScope, missingOIDCClaims, missingResourceScopes } = prompt.details as Missing
  if (missingOIDCScope) grant.addOIDCScope(missingOIDCScope.join(' '))
  if (missingOIDCClaims) grant.addOIDCClaims(missingOIDCClaims)
  for (const [resource, scopes] of Object.entries(missingResourceScopes ?? {})) {
    grant.addResourceScope(resource, scopes.join(' '))
  }
  return finishInteraction(interactionSession, { consent: { grantId: await grant.save() } })
}

interface Missing {
  readonly missingOIDCScope?: string[]
  readonly missingOIDCClaims?: string[]
  readonly missingResourceScopes?: Readonly<Record<string, string[]>>
}

/** What an application asks to be allowed: permissions, unless it is everything that the person may do, and scopes about the person. */
export function requestedAccess(client: StoredClient, asked: unknown) {
  const scope = typeof asked === 'string' ? asked : ''
  const limits = [client.permissions && new Set<Permission>(client.permissions), permissionsInScope(scope)].filter(
    (limit) => limit !== undefined
  )
  return {
    permissions: limits.length > 0 ? permissions.filter((one) => limits.every((limit) => limit.has(one))) : undefined,
    scopes: scope.split(' ')
  }
}
