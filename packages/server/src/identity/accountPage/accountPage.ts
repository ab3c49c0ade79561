import type { Context, Middleware } from 'koa'
import { HttpError, methodNotAllowed } from '../../lib/errors.ts'
import { ensureAccountClient } from '../clients/accountClient.ts'
import { createLoginSecrets } from '../login/loginSecrets.ts'
import { CSRF_FIELD } from '../login/pages/form.ts'
import { crossSiteForm } from '../login/pages/interactionError.ts'
import { assertSameOrigin, readForm } from '../login/pages/readForm.ts'
import { renderFailure } from '../login/pages/renderFailure.ts'
import { setSecurityHeaders } from '../login/pages/securityHeaders.ts'
import { paths } from '../oauth/paths.ts'
import { setAccess } from '../requestState.ts'
import { accountActions } from './accountActions.ts'
import type { AccountDependencies } from './accountDependencies.ts'
import { findAccountSession, toAccountUrl, toSignInAddress } from './accountSession.ts'
import { accountViews, formUse, redirect } from './accountViews.ts'

/**
 * Serves the page on which people manage their second factors; passes other requests on. Each request requires a
 * sign-in within the last ten minutes.
 */
export function accountPage(dependencies: AccountDependencies): Middleware {
  const handle = createHandler(dependencies)
  return async (ctx, next) => {
    const [isPage, name = ''] = PAGE.exec(ctx.path) ?? []
    if (isPage === undefined) return next()
    ctx.state.operation = 'account'
    setSecurityHeaders(ctx)
    try {
      await handle(ctx, name)
    } catch (error) {
      renderFailure(ctx, error, dependencies.log)
    }
  }
}

const PAGE = new RegExp(`^${paths.account}(?:/(\\w+))?$`)

/** Creates the function that answers the requests to one page of the account. */
function createHandler(dependencies: AccountDependencies): (ctx: Context, name: string) => Promise<void> {
  const { publicUrl } = dependencies
  const secrets = createLoginSecrets(dependencies)
  const views = accountViews(dependencies, secrets)
  const actions = accountActions(dependencies, views)

  return async (ctx, name) => {
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined
    const isForm = action !== undefined
    if (!isForm && name !== '' && name !== 'passkey') throw new HttpError(404, `there is no page at ${ctx.path}`)
    const isReload = isForm && ctx.method === 'GET'
    const methods = isForm ? ['GET', 'POST'] : ['GET', 'HEAD']
    if (!methods.includes(ctx.method)) throw methodNotAllowed(ctx.path, methods, ctx.method)
    const session = await findAccountSession(dependencies, ctx)
    if (!session) return signIn(ctx, dependencies)
    if (isReload || ctx.search !== '') return views.redirectToFactors(ctx)
    if (!action) return name === 'passkey' ? views.showPasskey(ctx, session) : views.showFactors(ctx, session)
    assertSameOrigin(ctx, publicUrl())
    const form = await readForm(ctx)
    if (!secrets.isCsrfToken(form.get(CSRF_FIELD) ?? '', formUse(session, name))) throw crossSiteForm()
    const { _organization, userId } = session.user
    setAccess(ctx, { idp_user: userId, actor: 'person', _organization })
    if (name !== 'remove') setAccess(ctx, { kind: 'secretShown' })
    try {
      await action(ctx, session, form)
    } catch (error) {
      if (!(error instanceof HttpError) || error.status >= 500) throw error
      ctx.status = 422
      await views.showFactors(ctx, session, [`${error.message.charAt(0).toUpperCase()}${error.message.slice(1)}.`])
    }
  }
}

async function signIn(ctx: Context, dependencies: AccountDependencies): Promise<void> {
  const { store, publicUrl, ids } = dependencies
  const organization = await store.collection('organizations').get({})
  if (!organization) throw new Error('there is no organization to sign in to')
  await ensureAccountClient({ ...dependencies, organization: organization.key }, toAccountUrl(publicUrl()))
  redirect(ctx, toSignInAddress(publicUrl(), ids))
}
