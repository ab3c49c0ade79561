import type { AddPasskey } from '@burgee/contract/schemas'
import { AddPasskey as AddPasskeySchema } from '@burgee/contract/schemas'
import type { Context, Middleware } from 'koa'
import type { Provider } from 'oidc-provider'
import type { EditRunner } from '../../access/audit/edit.ts'
import { badRequest, HttpError, methodNotAllowed } from '../../lib/errors.ts'
import type { IdGenerator } from '../../lib/idGenerator.ts'
import type { Logger } from '../../lib/logger.ts'
import type { Store } from '../../storage/store.ts'
import {
  addPasskey,
  confirmAuthenticatorApp,
  deleteSecondFactor,
  listSecondFactors,
  replaceRecoveryCodes,
  startAuthenticatorApp,
  startPasskey
} from '../account/ownSecondFactors.ts'
import { ensureAccountClient } from '../clients/accountClient.ts'
import type { SigningKeys } from '../keys/signingKeys.ts'
import { createLoginSecrets } from '../login/loginSecrets.ts'
import { CSRF_FIELD } from '../login/pages/form.ts'
import { crossSiteForm } from '../login/pages/interactionError.ts'
import { showPage } from '../login/pages/page.ts'
import { assertSameOrigin, readForm } from '../login/pages/readForm.ts'
import { renderFailure } from '../login/pages/renderFailure.ts'
import { setSecurityHeaders } from '../login/pages/securityHeaders.ts'
import { paths } from '../oauth/paths.ts'
import type { RequestParameters } from '../oauth/readRequestParameters.ts'
import { toPublicPath } from '../oauth/toIssuer.ts'
import { setAccess } from '../requestState.ts'
import { findPendingApp } from '../secondFactor/enrolApp.ts'
import { type AccountSession, findAccountSession, toAccountUrl, toSignInAddress } from './accountSession.ts'
import {
  accountFields,
  renderAccountPage,
  renderAddAppPage,
  renderAddPasskeyPage,
  renderCodesPage
} from './renderAccountPage.ts'

interface Dependencies {
  readonly provider: () => Promise<Provider>
  readonly store: Store
  readonly edit: EditRunner
  readonly keys: Pick<SigningKeys, 'privateJwks'>
  readonly ids: IdGenerator
  readonly log: Logger
  readonly now: () => number
  /** The public URL of the server, known once it listens. */
  readonly publicUrl: () => string
}

/**
 * Serves the page on which people manage their second factors; passes other requests on. Each request requires a
 * sign-in within the last ten minutes.
 */
export function accountPage(dependencies: Dependencies): Middleware {
  const { store, publicUrl, log, ids } = dependencies
  const secrets = createLoginSecrets(dependencies)
  const page = () => toPublicPath(publicUrl(), paths.account)
  const address = (action: string) => `${page()}/${action}`
  const target =
    ({ uid }: AccountSession) =>
    (action: string) => ({
      action: address(action),
      csrfToken: secrets.createCsrfToken(`account ${uid} ${action}`)
    })

  const show = async (ctx: Context, session: AccountSession, problems: readonly string[] = []) => {
    const factors = await listSecondFactors(dependencies, session.caller)
    const { email } = session.user
    showPage(
      ctx,
      renderAccountPage({ ...factors, email, target: target(session), passkey: address('passkey'), problems })
    )
  }
  const showAdded = (ctx: Context, { recoveryCodes }: { readonly recoveryCodes?: readonly string[] }) => {
    if (recoveryCodes) showPage(ctx, renderCodesPage(recoveryCodes, page()))
    else redirect(ctx, page())
  }
  const showApp = (
    ctx: Context,
    session: AccountSession,
    app: { readonly secret: string; readonly uri: string },
    problems: readonly string[] = []
  ) => showPage(ctx, renderAddAppPage({ ...app, confirm: target(session)('confirm'), back: page(), problems }))

  const actions: Readonly<
    Record<string, (ctx: Context, session: AccountSession, form: RequestParameters) => Promise<void>>
  > = {
    app: async (ctx, session) => showApp(ctx, session, await startAuthenticatorApp(dependencies, session.caller)),
    confirm: async (ctx, session, form) => {
      try {
        const body = { code: form.get(accountFields.code) ?? '' }
        showAdded(ctx, await confirmAuthenticatorApp(dependencies, session.caller, body))
      } catch (error) {
        const pending = await findPendingApp(dependencies, session.user, session.uid)
        if (!(error instanceof HttpError) || error.status !== 400 || !pending) throw error
        ctx.status = 422
        showApp(ctx, session, pending, ['The code is wrong. Check that the clock of your device is right.'])
      }
    },
    addPasskey: async (ctx, session, form) => {
      const body = { credential: parseCredential(form.get(accountFields.credential) ?? '') }
      showAdded(ctx, await addPasskey(dependencies, session.caller, body))
    },
    remove: async (ctx, session, form) => {
      await deleteSecondFactor(dependencies, session.caller, form.get(accountFields.factor) ?? '')
      redirect(ctx, page())
    },
    codes: async (ctx, session) => showAdded(ctx, await replaceRecoveryCodes(dependencies, session.caller))
  }

  const showPasskey = async (ctx: Context, session: AccountSession) => {
    const options = await startPasskey(dependencies, session.caller)
    setSecurityHeaders(ctx, undefined, 'self')
    const script = toPublicPath(publicUrl(), paths.passkeyScript)
    showPage(ctx, renderAddPasskeyPage({ options, add: target(session)('addPasskey'), script, back: page() }))
  }
  const signIn = async (ctx: Context) => {
    const organization = await store.collection('organizations').get({})
    if (!organization) throw new Error('there is no organization to sign in to')
    await ensureAccountClient({ ...dependencies, organization: organization.key }, toAccountUrl(publicUrl()))
    redirect(ctx, toSignInAddress(publicUrl(), ids))
  }
  const handle = async (ctx: Context, name: string): Promise<void> => {
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined
    const isForm = action !== undefined
    if (!isForm && name !== '' && name !== 'passkey') throw new HttpError(404, `there is no page at ${ctx.path}`)
    const isReload = isForm && ctx.method === 'GET'
    const methods = isForm ? ['GET', 'POST'] : ['GET', 'HEAD']
    if (!methods.includes(ctx.method)) throw methodNotAllowed(ctx.path, methods, ctx.method)
    const session = await findAccountSession(dependencies, ctx)
    if (!session) return signIn(ctx)
    if (isReload || ctx.search !== '') return redirect(ctx, page())
    if (!action) return name === 'passkey' ? showPasskey(ctx, session) : show(ctx, session)
    assertSameOrigin(ctx, publicUrl())
    const form = await readForm(ctx)
    if (!secrets.isCsrfToken(form.get(CSRF_FIELD) ?? '', `account ${session.uid} ${name}`)) throw crossSiteForm()
    const { _organization, userId } = session.user
    setAccess(ctx, { idp_user: userId, actor: 'person', _organization })
    if (name !== 'remove') setAccess(ctx, { kind: 'secretShown' })
    try {
      await action(ctx, session, form)
    } catch (error) {
      if (!(error instanceof HttpError) || error.status >= 500) throw error
      ctx.status = 422
      await show(ctx, session, [`${error.message.charAt(0).toUpperCase()}${error.message.slice(1)}.`])
    }
  }

  return async (ctx, next) => {
    const [isPage, name = ''] = PAGE.exec(ctx.path) ?? []
    if (isPage === undefined) return next()
    ctx.state.operation = 'account'
    setSecurityHeaders(ctx)
    try {
      await handle(ctx, name)
    } catch (error) {
      renderFailure(ctx, error, log)
    }
  }
}

const PAGE = new RegExp(`^${paths.account}(?:/(\\w+))?$`)

function redirect(ctx: Context, address: string): void {
  ctx.status = 303
  ctx.redirect(address)
}

function parseCredential(text: string): AddPasskey['credential'] {
  try {
    const { success, data } = AddPasskeySchema.shape.credential.safeParse(JSON.parse(text))
    if (success) return data
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause
  }
  throw badRequest('the browser sent no passkey')
}
