import type { Context } from 'koa'
import { findClientRefusal } from '../../access/restrictions/clientRefusal.ts'
import type { Store } from '../../storage/store.ts'
import { OAuthHttpError } from '../oauth/oauthError.ts'
import { parseTokenAudience } from '../oauth/parseTokenAudience.ts'
import { paths } from '../oauth/paths.ts'
import type { ProtectedResources } from '../oauth/protectedResources.ts'
import { readFormText } from '../oauth/readRequestParameters.ts'
import { withDefaultScope } from '../oauth/scopes.ts'
import type { ResolveClient } from '../registration/clientDocumentResolver.ts'
import { evictPending, parseAuthorizationRequest } from './pendingLogins.ts'

/** What the authorization endpoint depends on. */
export interface AuthorizationDependencies {
  readonly store: Store
  readonly now: () => number
  readonly resources: () => ProtectedResources
  /** @throws {HttpError} 429 for an address that started too many logins. */
  readonly limitSignIns: (address: string) => Promise<void>
  /** Stores clients that are not created by administrators, before they are looked up. */
  readonly resolveClient: ResolveClient
}

/** The endpoint that browsers open to sign in, and to continue after a login or a consent. */
interface AuthorizationEndpoint {
  readonly authorize: (ctx: Context) => Promise<void>
  readonly resume: (ctx: Context) => Promise<void>
}

/** Creates the endpoint. @param forward Forwards a request to `oidc-provider`. */
export function createAuthorizationEndpoint(
  { store, now, resources, limitSignIns, resolveClient }: AuthorizationDependencies,
  forward: (ctx: Context, url: string) => Promise<void>
): AuthorizationEndpoint {
  return {
    authorize: async (ctx) => {
      setProviderPageHeaders(ctx)
      if (ctx.method === 'POST') return redirectForm(ctx)
      const { parameters, unknown } = parseTokenAudience(
        parseAuthorizationRequest(ctx.querystring, 'query'),
        resources()
      )
      await limitSignIns(ctx.ip)
      await assertNotExpired(parameters.get('client_id') ?? '', { store, now })
      await resolveClient(parameters.get('client_id') ?? '', ctx.ip)
      await evictPending(store, 'Interaction', now())
      ctx.state.audience = unknown
      const [scope, ...others] = parameters.getAll('scope')
      if (others.length === 0) parameters.set('scope', withDefaultScope(scope))
      await forward(ctx, `${paths.authorize}?${parameters}`)
    },
    resume: (ctx) => {
      setProviderPageHeaders(ctx)
      return forward(ctx, ctx.path)
    }
  }
}

/**
 * Redirects a form to the same request by GET. Browsers send the session cookie, which is `SameSite=Lax`, with that
 * one, but not with the form of another site.
 * @throws {HttpError} 413 or 415
 */
async function redirectForm(ctx: Context): Promise<void> {
  const parameters = parseAuthorizationRequest(await readFormText(ctx.req), 'form')
  ctx.status = 303
  ctx.set({ location: `?${parameters}`, 'cache-control': 'no-store' })
}

/** Asserts that people can sign in to a client. @throws {OAuthHttpError} 400 if it has expired. */
async function assertNotExpired(
  clientId: string,
  { store, now }: Pick<AuthorizationDependencies, 'store' | 'now'>
): Promise<void> {
  const client = await store.collection('clients').get({ clientId })
  const refusal = client && findClientRefusal(client, { address: undefined, now: now() })
  if (refusal) throw new OAuthHttpError(400, 'invalid_client', refusal.message)
}

/** Sets the security headers of pages that `oidc-provider` renders; it adds the hash of its script to the policy. */
function setProviderPageHeaders(ctx: Context): void {
  ctx.set({
    'content-security-policy': "default-src 'none'; script-src 'self'; frame-ancestors 'none'; base-uri 'none'",
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer'
  })
}
