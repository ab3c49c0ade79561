import type { Grant, KoaContextWithOIDC } from 'oidc-provider'
import {
  COMMAND_LINE_CLIENT_ID,
  DASHBOARD_CLIENT_ID,
  type StoredAuthorization
} from '../../storage/resources/organization.ts'
import type { Store } from '../../storage/store.ts'
import { ACCOUNT_CLIENT_ID } from '../clients/accountClient.ts'
import { isRevoked } from './isRevoked.ts'
import { generationsOf } from './startedAt.ts'

/**
 * Returns the grant of the person and application in this session. A grant from an earlier session is copied to this
 * one, so that people are asked for consent once.
 */
export async function findExistingGrant(
  ctx: KoaContextWithOIDC,
  { store, now }: { readonly store: Store; readonly now: () => number }
): Promise<Grant | undefined> {
  const { oidc } = ctx
  const { provider, session, account, result } = oidc
  const clientId = oidc.client?.clientId
  if (!account || clientId === undefined) return undefined
  // Each computer has a sign-in of its own: ending one does not end the others.
  const isReused = clientId !== COMMAND_LINE_CLIENT_ID
  const grantId = result?.consent?.grantId ?? (isReused ? session?.grantIdFor(clientId) : undefined)
  if (grantId) return provider.Grant.find(grantId)
  if (!isReused) return undefined
  if (clientId === ACCOUNT_CLIENT_ID || clientId === DASHBOARD_CLIENT_ID) {
    return createOwnGrant(new provider.Grant({ accountId: account.accountId, clientId }), oidc)
  }
  const { accountId } = account
  // A revocation of the application since then ends the copy.
  await generationsOf(ctx, store, { accountId, clientId })
  const earlier = await findNewestGrant(store, { accountId, clientId, now: now() })
  if (!earlier) return undefined
  const { openid, resources } = earlier.payload as Pick<Grant, 'openid' | 'resources'>
  const grant = new provider.Grant({ accountId, clientId })
  if (openid?.scope) grant.addOIDCScope(openid.scope)
  for (const [resource, scope] of Object.entries(resources ?? {})) grant.addResourceScope(resource, scope)
  await grant.save()
  return grant
}

/** Grants the scopes of a page without consent: the page belongs to this server. */
async function createOwnGrant(
  grant: Grant,
  { requestParamScopes, resourceServers = {} }: KoaContextWithOIDC['oidc']
): Promise<Grant> {
  const scope = [...requestParamScopes].join(' ')
  grant.addOIDCScope(scope)
  for (const resource of Object.keys(resourceServers)) grant.addResourceScope(resource, scope)
  await grant.save()
  return grant
}

async function findNewestGrant(
  store: Store,
  { accountId, clientId, now }: { readonly accountId: string; readonly clientId: string; readonly now: number }
): Promise<StoredAuthorization | undefined> {
  const { items } = await store.collection('authorizations').list({ where: { model: 'Grant' }, sortBy: 'createdAt' })
  for (const grant of items.toReversed()) {
    const { payload, expiresAt = Number.POSITIVE_INFINITY } = grant
    const isTheirs = payload.accountId === accountId && payload.clientId === clientId
    if (isTheirs && expiresAt > now && !(await isRevoked(grant, store))) return grant
  }
  return undefined
}
