import type { Context, Middleware } from 'koa'
import type { Provider } from 'oidc-provider'
import type { EditRunner } from '../../access/audit/edit.ts'
import { methodNotAllowed } from '../../lib/errors.ts'
import type { IdGenerator } from '../../lib/idGenerator.ts'
import type { Logger } from '../../lib/logger.ts'
import type { Store } from '../../storage/store.ts'
import type { SigningKeys } from '../keys/signingKeys.ts'
import { paths } from '../oauth/paths.ts'
import type { RequestParameters } from '../oauth/readRequestParameters.ts'
import { MULTI_FACTOR } from '../organizations/secondFactorRequirement.ts'
import { setAccess } from '../requestState.ts'
import type { SecretHasher } from '../secrets/secretHash.ts'
import type { IdentityProvider } from '../upstream/identityProvider.ts'
import { LoginDeclinedError } from '../upstream/providerLogin.ts'
import type { UpstreamSessions } from '../upstream/upstreamSessions.ts'
import { PASSKEY_SCRIPT } from './factors/passkeyScript.ts'
import { createInteractionActions } from './interactionActions.ts'
import { createInteractionSessions, toCsrfPurpose } from './interactionSession.ts'
import { createLoginSecrets, type LoginSecrets } from './loginSecrets.ts'
import { CSRF_FIELD } from './pages/form.ts'
import { crossSiteForm, expiredInteraction, InteractionError } from './pages/interactionError.ts'
import { assertSameOrigin, readForm } from './pages/readForm.ts'
import { renderFailure } from './pages/renderFailure.ts'
import { setSecurityHeaders } from './pages/securityHeaders.ts'
import { createSecondStep } from './secondStep.ts'
import { createUpstreamLogin } from './upstreamLogin.ts'

/** The dependencies of the login pages. */
export interface InteractionDependencies {
  readonly provider: () => Promise<Provider>
  readonly store: Store
  readonly edit: EditRunner
  readonly hasher: SecretHasher
  readonly keys: Pick<SigningKeys, 'privateJwks'>
  readonly log: Logger
  readonly now: () => number
  /** The public URL of the server, known once it listens. */
  readonly publicUrl: () => string
  /** The upstream provider, if configured. */
  readonly identityProvider?: IdentityProvider | undefined
  readonly upstreamSessions: UpstreamSessions
  readonly ids: IdGenerator
  /** Whether people can sign in with a password. */
  readonly hasPasswords: boolean
  /** Whether the demo project exists, whose link signs in for the first time. */
  readonly isDemo: boolean
}

/** Serves the login and consent pages and the callback of an upstream provider; passes other requests on. */
export function interactions(dependencies: InteractionDependencies): Middleware {
  const { identityProvider, publicUrl, log } = dependencies
  const secrets = createLoginSecrets(dependencies)
  const interactionSessions = createInteractionSessions({ ...dependencies, secrets })
  const upstreamLogin =
    identityProvider && createUpstreamLogin({ ...dependencies, identityProvider, interactionSessions, secrets })
  const secondStep = createSecondStep({ ...dependencies, secrets })
  const actions = createInteractionActions({
    ...dependencies,
    issuer: identityProvider?.issuer,
    secrets,
    upstreamLogin,
    secondStep
  })

  const handlePage = async (ctx: Context, uid: string, name: string): Promise<void> => {
    const action = actions.get(name)
    if (!action) throw expiredInteraction()
    if (action.input === 'address') {
      allow(ctx, 'GET', 'HEAD')
      const interactionSession = await interactionSessions.getFromRequest(ctx, uid)
      setSecurityHeaders(ctx, interactionSession.redirectUri)
      return action.run(ctx, interactionSession, new Map())
    }
    // A reload of, or a navigation back to, the response to a form.
    if (ctx.method === 'GET') return ctx.redirect((await interactionSessions.getFromRequest(ctx, uid)).url())
    allow(ctx, 'POST')
    assertSameOrigin(ctx, publicUrl())
    const form = await readForm(ctx)
    assertCsrfToken(form, toCsrfPurpose(uid, name), secrets)
    const interactionSession = await interactionSessions.getFromRequest(ctx, uid)
    setSecurityHeaders(ctx, interactionSession.redirectUri)
    return action.run(ctx, interactionSession, form)
  }

  const handleCallback = async (ctx: Context): Promise<void> => {
    allow(ctx, 'GET')
    if (!upstreamLogin) throw expiredInteraction()
    ctx.state.access = { kind: 'signIn', method: 'provider' }
    const { interactionSession, user, factors, ...first } = await upstreamLogin.handleCallback(ctx).catch((error) => {
      setAccess(ctx, { reason: codeOfRefusal(error) })
      throw error
    })
    setAccess(ctx, {
      idp_user: user.userId,
      actor: 'person',
      clientId: interactionSession.client.clientId,
      _organization: user._organization
    })
    setSecurityHeaders(ctx, interactionSession.redirectUri)
    const methods = factors === 'several' ? [MULTI_FACTOR] : []
    await secondStep.begin(ctx, interactionSession, { ...first, user, methods, isVouched: factors !== 'one' })
  }

  return async (ctx, next) => {
    if (ctx.path === paths.passkeyScript) return serveScript(ctx)
    const [isPage, uid = '', name = ''] = PAGE.exec(ctx.path) ?? []
    if (isPage === undefined && ctx.path !== paths.callback) return next()
    ctx.state.operation = 'signIn'
    setSecurityHeaders(ctx)
    try {
      await (isPage === undefined ? handleCallback(ctx) : handlePage(ctx, uid, name))
    } catch (error) {
      renderFailure(ctx, error, log)
    }
  }
}

/** Serves the script of the passkey page. */
function serveScript(ctx: Context): void {
  allow(ctx, 'GET', 'HEAD')
  ctx.state.operation = 'signIn'
  ctx.set({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-cache' })
  ctx.type = 'text/javascript'
  ctx.body = PASSKEY_SCRIPT
}

/** The code of a refused callback in the access log. */
function codeOfRefusal(error: unknown): string {
  if (!(error instanceof InteractionError)) return 'server_error'
  if (error.cause instanceof LoginDeclinedError) return 'provider_declined'
  if (error.cause !== undefined) return 'provider_failed'
  return error.reason.status === 400 ? 'expired' : 'account_refused'
}

const PAGE = new RegExp(`^${paths.signIn}/([\\w-]{1,100})(?:/(\\w+))?$`)

function allow(ctx: Context, ...methods: readonly string[]): void {
  if (!methods.includes(ctx.method)) throw methodNotAllowed(ctx.path, methods, ctx.method)
}

function assertCsrfToken(form: RequestParameters, use: string, secrets: LoginSecrets): void {
  if (!secrets.isCsrfToken(form.get(CSRF_FIELD) ?? '', use)) throw crossSiteForm()
}
