import type { Context } from 'koa'
import { listSecondFactors, startPasskey } from '../account/ownSecondFactors.ts'
import type { LoginSecrets } from '../login/loginSecrets.ts'
import { showPage } from '../login/pages/page.ts'
import { setSecurityHeaders } from '../login/pages/securityHeaders.ts'
import { paths } from '../oauth/paths.ts'
import { toPublicPath } from '../oauth/toIssuer.ts'
import type { AccountDependencies } from './accountDependencies.ts'
import type { AccountSession } from './accountSession.ts'
import { renderAccountPage, renderAddAppPage, renderAddPasskeyPage, renderCodesPage } from './renderAccountPage.ts'

/** Shows the pages of an account. */
export interface AccountViews {
  readonly showFactors: (ctx: Context, session: AccountSession, problems?: readonly string[]) => Promise<void>
  /** Shows the recovery codes that came with a new factor, once; without new codes, the list of factors. */
  readonly showAdded: (ctx: Context, added: { readonly recoveryCodes?: readonly string[] }) => void
  readonly showApp: (ctx: Context, session: AccountSession, app: App, problems?: readonly string[]) => void
  readonly showPasskey: (ctx: Context, session: AccountSession) => Promise<void>
  readonly redirectToFactors: (ctx: Context) => void
}

/** The secret of an authenticator app that is being added. */
interface App {
  readonly secret: string
  readonly uri: string
}

/** Returns the use to which the token of a form is bound: an action in a session. */
export function formUse({ uid }: AccountSession, action: string): string {
  return `account ${uid} ${action}`
}

/** Creates the views. */
export function accountViews(dependencies: AccountDependencies, secrets: LoginSecrets): AccountViews {
  const { publicUrl } = dependencies
  const page = () => toPublicPath(publicUrl(), paths.account)
  const address = (action: string) => `${page()}/${action}`
  const target = (session: AccountSession) => (action: string) => ({
    action: address(action),
    csrfToken: secrets.createCsrfToken(formUse(session, action))
  })
  const redirectToFactors = (ctx: Context) => redirect(ctx, page())
  return {
    showFactors: async (ctx, session, problems = []) => {
      const factors = await listSecondFactors(dependencies, session.caller)
      const { email } = session.user
      const passkey = address('passkey')
      showPage(ctx, renderAccountPage({ ...factors, email, target: target(session), passkey, problems }))
    },
    showAdded: (ctx, { recoveryCodes }) => {
      if (recoveryCodes) showPage(ctx, renderCodesPage(recoveryCodes, page()))
      else redirectToFactors(ctx)
    },
    showApp: (ctx, session, app, problems = []) =>
      showPage(ctx, renderAddAppPage({ ...app, confirm: target(session)('confirm'), back: page(), problems })),
    showPasskey: async (ctx, session) => {
      const options = await startPasskey(dependencies, session.caller)
      setSecurityHeaders(ctx, undefined, 'self')
      const script = toPublicPath(publicUrl(), paths.passkeyScript)
      showPage(ctx, renderAddPasskeyPage({ options, add: target(session)('addPasskey'), script, back: page() }))
    },
    redirectToFactors
  }
}

/** Redirects to another page after a form. */
export function redirect(ctx: Context, address: string): void {
  ctx.status = 303
  ctx.redirect(address)
}
