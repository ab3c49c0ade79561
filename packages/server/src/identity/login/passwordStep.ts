import type { Context } from 'koa'
import type { EditRunner } from '../../access/audit/edit.ts'
import type { IdGenerator } from '../../lib/idGenerator.ts'
import type { Logger } from '../../lib/logger.ts'
import { isLoopback, networkOf, normalizeAddress } from '../../lib/network.ts'
import { DASHBOARD_CLIENT_ID, type StoredClient } from '../../storage/resources/organization.ts'
import type { Store } from '../../storage/store.ts'
import { MULTI_FACTOR, PASSWORD } from '../organizations/secondFactorRequirement.ts'
import { setAccess } from '../requestState.ts'
import { hasSecondFactor } from '../secondFactor/factors.ts'
import type { SecretHasher } from '../secrets/secretHash.ts'
import { createDeviceCookie } from './deviceCookie.ts'
import { createPasswordLogin, type LoginRefusal } from './factors/passwordLogin.ts'
import { type FormAction, type InteractionSession, toClientName } from './interactionSession.ts'
import type { LoginSecrets } from './loginSecrets.ts'
import { openTicket } from './loginTicket.ts'
import { expiredInteraction, InteractionError } from './pages/interactionError.ts'
import { type LoginHint, renderLoginPage } from './pages/loginPage.ts'
import { newPasswordFields } from './pages/newPasswordPage.ts'
import { showPage } from './pages/page.ts'
import { showRateLimit } from './pages/showRateLimit.ts'
import { replacePassword, showNewPassword, validateReplacement } from './replacePassword.ts'
import type { SecondStep } from './secondStep.ts'

/** The page of a sign-in by password, and the replacement of a temporary password. */
export interface PasswordStep {
  /** Shows the page, with the other ways to sign in. */
  readonly show: (
    ctx: Context,
    session: InteractionSession,
    shown: { readonly email: string; readonly problems?: readonly string[] }
  ) => Promise<void>
  /** Verifies the password, and continues with the second step. */
  readonly enter: FormAction
  /** Replaces the temporary password of the ticket in the form, and continues. */
  readonly replace: FormAction
}

interface Dependencies {
  readonly store: Store
  readonly edit: EditRunner
  readonly hasher: SecretHasher
  readonly ids: IdGenerator
  readonly log: Logger
  readonly publicUrl: () => string
  readonly secrets: LoginSecrets
  /** The upstream login, if configured. */
  readonly upstreamLogin: { readonly name: string } | undefined
  /** The issuer of the identity provider, if configured. */
  readonly issuer: string | undefined
  readonly secondStep: SecondStep
  /** Whether people can sign in with a password. */
  readonly hasPasswords: boolean
  /** Whether the demo project exists, whose link signs in for the first time. */
  readonly isDemo: boolean
}

/** Creates the step. Its actions are refused if passwords are disabled. */
export function createPasswordStep(dependencies: Dependencies): PasswordStep {
  const { store, upstreamLogin, secondStep, hasPasswords, isDemo, publicUrl } = dependencies
  const signIn = createPasswordLogin(dependencies)
  const deviceCookie = createDeviceCookie(dependencies)

  const hintFor = async ({ clientId, _organization }: StoredClient): Promise<LoginHint | undefined> => {
    if (isDemo && isLoopback(new URL(publicUrl()).hostname)) {
      return clientId === DASHBOARD_CLIENT_ID ? 'demoLink' : 'demoPassword'
    }
    if (upstreamLogin || !hasPasswords) return undefined
    const { count } = await store.collection('users').list({ where: { _organization }, perPage: 1 })
    return count === 0 ? 'nobody' : undefined
  }

  const show = async (
    ctx: Context,
    { client, url, formTarget }: InteractionSession,
    shown: { readonly email: string; readonly problems?: readonly string[] }
  ) => {
    const provider = upstreamLogin && { name: upstreamLogin.name, address: url('provider') }
    const targets = { login: hasPasswords ? formTarget('login') : undefined, abort: formTarget('abort') }
    const addresses = { provider, passkey: url('passkey') }
    const content = {
      ...shown,
      clientName: toClientName(client),
      ...targets,
      ...addresses,
      hint: await hintFor(client)
    }
    showPage(ctx, renderLoginPage(content))
  }

  return {
    show,

    enter: async (ctx, session, form) => {
      if (!hasPasswords) throw passwordsDisabled()
      const [email, password] = [form.get('email') ?? '', form.get('password') ?? '']
      const from = {
        organization: session.client._organization,
        ipAddress: ctx.ip,
        deviceId: await deviceCookie.find(ctx, email),
        requestId: ctx.state.requestId,
        onRefused: (refusal: LoginRefusal) => setAccess(ctx, refusal)
      }
      setAccess(ctx, {
        kind: 'signIn',
        method: 'password',
        clientId: session.client.clientId,
        _organization: from.organization
      })
      const work = async () => {
        const user = await signIn({ ...from, email, password })
        if (user) {
          setAccess(ctx, { idp_user: user.userId, actor: 'person' })
          return secondStep.begin(ctx, session, { user, methods: [PASSWORD] })
        }
        ctx.status = 422
        await show(ctx, session, { email, problems: ['The e-mail address or the password is wrong.'] })
      }
      await showRateLimit(ctx, work, (seconds) => show(ctx, session, { email, problems: [tooManyAttempts(seconds)] }))
    },

    replace: async (ctx, session, form) => {
      if (!hasPasswords) throw passwordsDisabled()
      const [ticket, password] = [form.get(newPasswordFields.ticket) ?? '', form.get(newPasswordFields.password) ?? '']
      const repeated = form.get(newPasswordFields.repeated) ?? ''
      const { user, methods } = await openTicket('ticket', ticket, session.interaction.uid, dependencies)
      const hasSecondStep = methods.includes(MULTI_FACTOR)
      // The person has added a second factor since.
      if (!hasSecondStep && (await hasSecondFactor(store, user))) throw expiredInteraction()
      const network = networkOf(ctx.ip)
      const problems = await validateReplacement(password, repeated, user, { ...dependencies, network })
      if (problems.length > 0) {
        ctx.status = 422
        showNewPassword(ctx, session, { email: user.email, ticket, problems })
      } else {
        const changed = await replacePassword(user, password, { ...dependencies, address: normalizeAddress(ctx.ip) })
        setAccess(ctx, {
          kind: 'signIn',
          method: 'password',
          idp_user: changed.userId,
          actor: 'person',
          clientId: session.client.clientId,
          _organization: changed._organization
        })
        const next = hasSecondStep ? secondStep.finish : secondStep.begin
        await next(ctx, session, { user: changed, methods })
      }
    }
  }
}

function passwordsDisabled(): InteractionError {
  return new InteractionError({
    status: 403,
    title: 'You are not signed in',
    message: 'Passwords are disabled on this server. Go back and sign in another way.'
  })
}

function tooManyAttempts(seconds: string): string {
  return `There were too many attempts to sign in. Try again in ${seconds} seconds.`
}
