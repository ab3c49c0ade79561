import { type Permission, permissions, permissionsInScope } from '@burgee/contract'
import type { StoredClient } from '../../storage/resources/organization.ts'
import { finishInteraction } from './finishInteraction.ts'
import type { InteractionSession } from './interactionSession.ts'

/** Grants the requested access, for later requests too. Returns the URL to continue at. */
export async function grantConsent(interactionSession: InteractionSession): Promise<string> {
  const { provider, interaction } = interactionSession
  const { session, params, prompt, grantId } = interaction
  const existing = grantId === undefined ? undefined : await provider.Grant.find(grantId)
  const clientId = String(params.client_id)
  const grant = existing ?? new provider.Grant({ clientId, ...(session ? { accountId: session.accountId } : {}) })
  // The details of a consent prompt, as `oidc-provider` defines them.
  const { missingOIDCScope, missingOIDCClaims, missingResourceScopes } = prompt.details as ConsentDetails
  if (missingOIDCScope) grant.addOIDCScope(missingOIDCScope.join(' '))
  if (missingOIDCClaims) grant.addOIDCClaims(missingOIDCClaims)
  for (const [resource, scopes] of Object.entries(missingResourceScopes ?? {})) {
    grant.addResourceScope(resource, scopes.join(' '))
  }
  return finishInteraction(interactionSession, { consent: { grantId: await grant.save() } })
}

interface ConsentDetails {
  readonly missingOIDCScope?: string[]
  readonly missingOIDCClaims?: string[]
  readonly missingResourceScopes?: Readonly<Record<string, string[]>>
}

/** Returns the requested permissions, or `undefined` for all, and the requested scopes. */
export function requestedAccess(client: StoredClient, requestedScope: unknown) {
  const scope = typeof requestedScope === 'string' ? requestedScope : ''
  const limits = [client.permissions && new Set<Permission>(client.permissions), permissionsInScope(scope)].filter(
    (limit) => limit !== undefined
  )
  return {
    permissions: limits.length > 0 ? permissions.filter((one) => limits.every((limit) => limit.has(one))) : undefined,
    scopes: scope.split(' ')
  }
}
