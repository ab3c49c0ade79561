import { permissionsInScope } from '@burgee/contract'
import { omitUndefined } from '@burgee/kit'
import type { Configuration, KoaContextWithOIDC } from 'oidc-provider'
import { listPermissions } from '../../access/permissions/access.ts'
import { findIdentity, formatClientSubject } from '../../access/permissions/findIdentity.ts'
import type { Store } from '../../storage/store.ts'
import { lifetimes } from '../keys/lifetimes.ts'
import { accessTokenClaims } from '../tokens/accessTokenClaims.ts'
import type { OidcProviderModule } from './loadOidcProvider.ts'
import { generationsOf, startedAt } from './startedAt.ts'

type Customizers = NonNullable<NonNullable<Configuration['formats']>['customizers']>

interface Dependencies {
  readonly store: Store
  readonly now: () => number
}

/** Adds subject, scope and times to an access token, by the clock of the server. */
export function createAccessTokenCustomizer(
  { errors }: OidcProviderModule,
  { store, now }: Dependencies
): NonNullable<Customizers['jwt']> {
  return async (ctx, token, { payload }) => {
    const { clientId = '' } = token
    const isForPerson = 'accountId' in token
    const issued = isForPerson ? { accountId: token.accountId, clientId } : { clientId }
    const generations = await generationsOf(ctx, store, issued)
    const holder = isForPerson
      ? await findIdentity(store, token.accountId, clientId)
      : await findIdentity(store, formatClientSubject({ clientId }))
    if (!holder) throw new errors.InvalidGrant('the client or its user was removed in the meantime')
    const scope = isForPerson ? grantedScope(ctx, token) : (token.scope ?? '')
    // The scope of the response and that of the token are the same.
    if (scope) token.scope = scope
    const limit = isForPerson && scope === '' ? NOTHING : permissionsInScope(scope)
    const at = startedAt(ctx, now)
    const claims = accessTokenClaims({
      subject: holder.id,
      clientId,
      organization: holder.organization,
      permissions: listPermissions(holder.access).filter((permission) => !limit || limit.has(permission)),
      scope,
      at,
      expiresAt: Math.floor(at / 1000) + lifetimes[token.kind],
      generations
    })
    Object.assign(payload, {
      ...claims,
      ...(isForPerson ? omitUndefined({ grant_id: token.grantId, ...signInOf(ctx) }) : {}),
      ...((await showsEmail(clientId, scope, store)) ? omitUndefined({ email: holder.email }) : {})
    })
  }
}

/** When and how the person signed in (RFC 9068 §2.2.1). */
function signInOf({ oidc: { entities } }: KoaContextWithOIDC): {
  readonly auth_time?: number
  readonly amr?: string[]
} {
  const { authTime, amr } = grantSource(entities) ?? {}
  return omitUndefined({ auth_time: authTime, amr: amr && [...amr] })
}

/** The code or refresh token that a request redeems. */
function grantSource({ RefreshToken, AuthorizationCode, DeviceCode }: KoaContextWithOIDC['oidc']['entities']) {
  return RefreshToken ?? AuthorizationCode ?? DeviceCode
}

const NOTHING: ReadonlySet<never> = new Set()

/**
 * Whether the token of a person has their e-mail address: always for clients that an administrator registered, and for
 * others with the scope `email`.
 */
async function showsEmail(clientId: string, scope: string, store: Store): Promise<boolean> {
  if (scope.split(' ').includes('email')) return true
  const client = await store.collection('clients').get({ clientId })
  return client !== undefined && !client.isDynamic
}

/**
 * Returns the granted part of the requested scope, or of the part that a refresh requests: OpenID Connect scopes and
 * permissions.
 */
function grantedScope(
  { oidc }: KoaContextWithOIDC,
  { scope, aud }: { readonly scope?: string | undefined; readonly aud?: string | readonly string[] | undefined }
): string {
  const { grant, entities, params, requestParamScopes } = oidc
  const source = grantSource(entities)
  if (!grant || !source) throw new Error('an access token of a person requires a code or a refresh token')
  const isNarrower = params?.grant_type === 'refresh_token' && params.scope !== undefined
  return [
    grant.getOIDCScopeFiltered(isNarrower ? requestParamScopes : source.scopes),
    // A refresh without permissions in its scope keeps the granted ones.
    scope || grant.getResourceScopeFiltered(String(aud), source.scopes)
  ]
    .filter(Boolean)
    .join(' ')
}
