import { sanitizeLine } from '@burgee/kit/text'
import type { Context } from 'koa'
import type { EditRunner } from '../../access/audit/edit.ts'
import { HttpError } from '../../lib/errors.ts'
import type { IdGenerator } from '../../lib/idGenerator.ts'
import type { Logger } from '../../lib/logger.ts'
import { networkOf, normalizeAddress } from '../../lib/network.ts'
import type { Store } from '../../storage/store.ts'
import type { RequestParameters } from '../oauth/readRequestParameters.ts'
import { MULTI_FACTOR, PASSWORD } from '../organizations/secondFactorRequirement.ts'
import { setAccess } from '../requestState.ts'
import { hasSecondFactor } from '../secondFactor/factors.ts'
import type { SecretHasher } from '../secrets/secretHash.ts'
import { createDeviceCookie } from './deviceCookie.ts'
import { finishInteraction, restartAuthorization } from './finishInteraction.ts'
import { grantConsent, requestedAccess } from './grantConsent.ts'
import type { InteractionSession } from './interactionSession.ts'
import type { LoginSecrets } from './loginSecrets.ts'
import { renderConsentPage } from './pages/consentPage.ts'
import { continueLogin } from './pages/continueLogin.ts'
import { expiredInteraction, InteractionError } from './pages/interactionError.ts'
import { renderLoginPage } from './pages/loginPage.ts'
import { newPasswordFields } from './pages/newPasswordPage.ts'
import { showPage } from './pages/page.ts'
import { createPasskeyStep } from './passkeyStep.ts'
import { createPasswordLogin, type LoginRefusal } from './passwordLogin.ts'
import { getTicketHolder, replacePassword, showNewPassword, validateReplacement } from './replacePassword.ts'
import type { SecondStep } from './secondStep.ts'
import type { UpstreamLogin } from './upstreamLogin.ts'

/** An action of a login or consent page. */
export interface InteractionAction {
  /** Whether the action requires a form with a valid token, or only the URL. */
  readonly input: 'form' | 'address'
  readonly run: (ctx: Context, interactionSession: InteractionSession, form: RequestParameters) => Promise<void>
}

interface Dependencies {
  readonly store: Store
  readonly edit: EditRunner
  readonly hasher: SecretHasher
  readonly log: Logger
  readonly now: () => number
  readonly publicUrl: () => string
  readonly secrets: LoginSecrets
  /** The upstream login, if configured. */
  readonly upstreamLogin: (UpstreamLogin & { readonly name: string }) | undefined
  /** The issuer of the identity provider, if configured. */
  readonly issuer: string | undefined
  readonly secondStep: SecondStep
  readonly ids: IdGenerator
  /** Whether people can sign in with a password. */
  readonly hasPasswords: boolean
}

/** The actions by the last part of the path; an empty part shows the page. */
export function createInteractionActions(dependencies: Dependencies): ReadonlyMap<string, InteractionAction> {
  const { store, upstreamLogin, publicUrl, secondStep, hasPasswords } = dependencies
  const signIn = createPasswordLogin(dependencies)
  const deviceCookie = createDeviceCookie(dependencies)
  const passkeyStep = createPasskeyStep(dependencies)

  const showSignIn = (
    ctx: Context,
    { client, url, formTarget }: InteractionSession,
    shown: { readonly email: string; readonly problems?: readonly string[] }
  ) => {
    const provider = upstreamLogin && { name: upstreamLogin.name, address: url('provider') }
    const targets = { login: hasPasswords ? formTarget('login') : undefined, abort: formTarget('abort') }
    const content = { ...shown, clientName: nameOf(client), ...targets, provider, passkey: url('passkey') }
    showPage(ctx, renderLoginPage(content))
  }

  const showConsent = async (ctx: Context, { interaction, client, redirectUri, formTarget }: InteractionSession) => {
    const { session, params } = interaction
    const person = session && (await store.collection('users').get({ userId: session.accountId }))
    if (!person) throw expiredInteraction()
    const allowance = requestedAccess(client, params.scope)
    const targets = { allow: formTarget('consent'), abort: formTarget('abort'), change: formTarget('another') }
    const shown = { ...client, name: nameOf(client) }
    showPage(ctx, renderConsentPage({ client: shown, person, ...allowance, redirectUri, ...targets }))
  }

  const actions: Readonly<Record<string, InteractionAction>> = {
    '': {
      input: 'address',
      run: async (ctx, interactionSession) => {
        const { prompt, params } = interactionSession.interaction
        if (prompt.name === 'consent') await showConsent(ctx, interactionSession)
        else
          showSignIn(ctx, interactionSession, { email: typeof params.login_hint === 'string' ? params.login_hint : '' })
      }
    },
    login: {
      input: 'form',
      run: async (ctx, interactionSession, form) => {
        if (!hasPasswords) throw passwordsDisabled()
        const [email, password] = [form.get('email') ?? '', form.get('password') ?? '']
        const from = {
          organization: interactionSession.client._organization,
          ipAddress: ctx.ip,
          deviceId: await deviceCookie.find(ctx, email),
          requestId: ctx.state.requestId,
          onRefused: (refusal: LoginRefusal) => setAccess(ctx, refusal)
        }
        setAccess(ctx, {
          kind: 'signIn',
          method: 'password',
          clientId: interactionSession.client.clientId,
          _organization: from.organization
        })
        try {
          const user = await signIn({ ...from, email, password })
          if (user) {
            setAccess(ctx, { idp_user: user.userId, actor: 'person' })
          }
          if (!user) {
            ctx.status = 422
            showSignIn(ctx, interactionSession, { email, problems: ['The e-mail address or the password is wrong.'] })
          } else await secondStep.begin(ctx, interactionSession, { user, methods: [PASSWORD] })
        } catch (error) {
          if (!(error instanceof HttpError) || error.status !== 429) throw error
          ctx.set({ ...error.headers })
          ctx.status = 429
          showSignIn(ctx, interactionSession, { email, problems: [formatRateLimit(error)] })
        }
      }
    },
    password: {
      input: 'form',
      run: async (ctx, interactionSession, form) => {
        if (!hasPasswords) throw passwordsDisabled()
        const [ticket, password] = [
          form.get(newPasswordFields.ticket) ?? '',
          form.get(newPasswordFields.password) ?? ''
        ]
        const repeated = form.get(newPasswordFields.repeated) ?? ''
        const { user, methods } = await getTicketHolder(ticket, interactionSession.interaction.uid, dependencies)
        const hasSecondStep = methods.includes(MULTI_FACTOR)
        // The person has added a second factor since.
        if (!hasSecondStep && (await hasSecondFactor(store, user))) throw expiredInteraction()
        const network = networkOf(ctx.ip)
        const problems = await validateReplacement(password, repeated, user, { ...dependencies, network })
        if (problems.length > 0) {
          ctx.status = 422
          showNewPassword(ctx, interactionSession, { email: user.email, ticket, problems })
        } else {
          const changed = await replacePassword(user, password, { ...dependencies, address: normalizeAddress(ctx.ip) })
          setAccess(ctx, {
            kind: 'signIn',
            method: 'password',
            idp_user: changed.userId,
            actor: 'person',
            clientId: interactionSession.client.clientId,
            _organization: changed._organization
          })
          const next = hasSecondStep ? secondStep.finish : secondStep.begin
          await next(ctx, interactionSession, { user: changed, methods })
        }
      }
    },
    code: { input: 'form', run: secondStep.enterCode },
    enrol: { input: 'form', run: secondStep.enrol },
    enrolled: { input: 'form', run: secondStep.finishEnrolment },
    passkey: { input: 'address', run: passkeyStep.show },
    passkeyStep: { input: 'form', run: passkeyStep.showSecond },
    assertion: { input: 'form', run: passkeyStep.enter },
    provider: {
      input: 'address',
      run: async (ctx, interactionSession) => {
        if (!upstreamLogin || interactionSession.interaction.prompt.name !== 'login') throw expiredInteraction()
        await upstreamLogin.redirectToProvider(ctx, interactionSession)
      }
    },
    consent: {
      input: 'form',
      run: async (ctx, interactionSession) => continueLogin(ctx, await grantConsent(interactionSession))
    },
    abort: {
      input: 'form',
      run: async (ctx, interactionSession) => {
        const error_description = 'the person denied access'
        continueLogin(ctx, await finishInteraction(interactionSession, { error: 'access_denied', error_description }))
      }
    },
    another: {
      input: 'form',
      run: async (ctx, interactionSession) =>
        continueLogin(ctx, await restartAuthorization(interactionSession, publicUrl()))
    }
  }
  return new Map(Object.entries(actions))
}

/** The display name of an application; never empty. */
function nameOf({ name, clientId }: InteractionSession['client']): string {
  return sanitizeLine(name) || clientId
}

function passwordsDisabled(): InteractionError {
  return new InteractionError({
    status: 403,
    title: 'You are not signed in',
    message: 'Passwords are disabled on this server. Go back and sign in another way.'
  })
}

function formatRateLimit({ headers }: HttpError): string {
  return `There were too many attempts to sign in. Try again in ${headers['retry-after']} seconds.`
}
