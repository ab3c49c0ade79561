import { formatValue } from '@burgee/kit/text'
import type { KoaContextWithOIDC } from 'oidc-provider'
import { formatClientSubject } from '../../access/permissions/findIdentity.ts'
import { HttpError } from '../../lib/errors.ts'
import type { Store } from '../../storage/store.ts'
import { hasPrivilegedSecret } from '../clients/assertMayManageClient.ts'
import { listToolServerUrls, type ProtectedResources } from '../oauth/protectedResources.ts'
import { findExceedingScopes, findUnknownScopes } from '../oauth/scopes.ts'
import { setAccess } from '../requestState.ts'
import type { AccessTokenVerifier, VerifiedToken } from '../tokens/accessTokenVerifier.ts'
import type { ExchangeToken } from '../tokens/tokenExchange.ts'
import type { OidcProviderModule } from './loadOidcProvider.ts'
import { generationsOf, startedAt } from './startedAt.ts'

/** The token exchange grant for standalone tool servers (RFC 8693). */
export const TOKEN_EXCHANGE_GRANT = 'urn:ietf:params:oauth:grant-type:token-exchange'

/** The parameters of an exchange. */
export const tokenExchangeParameters = [
  'subject_token',
  'subject_token_type',
  'actor_token',
  'actor_token_type',
  'requested_token_type',
  'resource',
  'scope'
] as const

interface Dependencies {
  readonly store: Store
  readonly tokens: AccessTokenVerifier
  readonly exchange: ExchangeToken
  readonly now: () => number
}

type GrantHandler = (ctx: KoaContextWithOIDC) => Promise<void>

/** Handles exchange requests of authenticated clients. */
export function createTokenExchangeGrant(
  { errors }: OidcProviderModule,
  resources: ProtectedResources,
  dependencies: Dependencies
): GrantHandler {
  const { store, tokens, exchange, now } = dependencies
  return async (ctx) => {
    const { client } = ctx.oidc
    if (!client) throw new Error('token exchange without a client')
    const own = listToolServerUrls(client, resources)
    if (own.length === 0) throw new errors.UnauthorizedClient(describeMissingToolServer(client))
    const stored = await store.collection('clients').get({ clientId: client.clientId })
    if (!stored || !(await hasPrivilegedSecret(store, stored))) {
      throw new errors.UnauthorizedClient(describeUnprivilegedSecret(client))
    }
    const { subject_token = '', scope, ...requested } = readParameters(ctx)
    const issue = validateTokenExchange({ subject_token, ...requested })
    if (issue !== undefined) throw new errors.InvalidRequest(issue)
    assertTarget(ctx, requested.resource)
    const at = startedAt(ctx, now)
    const verified = await read(subject_token, own, ctx.ip)
    setAccess(ctx, { idp_user: verified.holder.id })
    const granted = narrowScope(verified, scope)
    const actor = {
      actor: formatClientSubject(client),
      actorGenerations: await generationsOf(ctx, store, { clientId: client.clientId })
    }
    const { token, expiresAt } = await exchange(verified, { ...actor, at, scope: granted })
    ctx.body = {
      access_token: token,
      issued_token_type: ACCESS_TOKEN,
      token_type: 'Bearer',
      expires_in: expiresAt - Math.floor(at / 1000),
      ...(granted === undefined ? {} : { scope: granted })
    }
  }

  function assertTarget({ state }: KoaContextWithOIDC, resource: string = resources.api): void {
    const named: string = state.audience ?? resource
    if (named === resources.api) return
    throw new errors.InvalidTarget(`resource should be ${resources.api}, got ${formatValue(named)}`)
  }

  async function read(token: string, audiences: readonly string[], address: string): Promise<VerifiedToken> {
    try {
      return await tokens.verifyFor(token, audiences, address)
    } catch (error) {
      // RFC 8693 §2.2.2 defines this error code.
      throw error instanceof HttpError ? new errors.InvalidRequest(`subject_token: ${error.message}`) : error
    }
  }

  function narrowScope({ claims }: VerifiedToken, requested: string | undefined): string | undefined {
    if (!requested) return claims.scope
    const [unknown] = findUnknownScopes(requested)
    if (unknown !== undefined) throw new errors.InvalidScope('this scope is not known', unknown)
    const [exceeding] = findExceedingScopes(requested, claims.scope)
    if (exceeding === undefined) return requested
    throw new errors.InvalidScope('the subject token does not have this scope', exceeding)
  }
}

function describeMissingToolServer({ clientId }: { readonly clientId: string }): string {
  return `client ${formatValue(clientId)} cannot exchange tokens: BURGEE_TOOL_SERVERS has no tool server for it`
}

function describeUnprivilegedSecret({ clientId }: { readonly clientId: string }): string {
  return `client ${formatValue(clientId)} cannot exchange tokens: a caller without all permissions created it or its secret; a caller with all permissions must replace the secret`
}

const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token'

type Parameters = Readonly<Partial<Record<(typeof tokenExchangeParameters)[number], string>>>

/** Returns the parameters; repeated ones were rejected earlier. */
function readParameters({ oidc }: KoaContextWithOIDC): Parameters {
  return Object.fromEntries(
    tokenExchangeParameters.flatMap((name) => {
      const value = oidc.params?.[name]
      return typeof value === 'string' && value !== '' ? [[name, value]] : []
    })
  )
}

function validateTokenExchange(requested: Parameters): string | undefined {
  const { subject_token, subject_token_type, requested_token_type = ACCESS_TOKEN } = requested
  if (!subject_token) return 'subject_token is missing'
  if (subject_token_type !== ACCESS_TOKEN) {
    return `subject_token_type should be ${ACCESS_TOKEN}, got ${formatValue(subject_token_type)}`
  }
  if (requested_token_type !== ACCESS_TOKEN) {
    return `requested_token_type should be ${ACCESS_TOKEN}, got ${formatValue(requested_token_type)}`
  }
  if (requested.actor_token !== undefined || requested.actor_token_type !== undefined) {
    return 'actor_token is not supported: the client that exchanges the token is the actor'
  }
  return undefined
}
