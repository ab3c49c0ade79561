import { omitUndefined } from '@burgee/kit'
import type { Context } from 'koa'
import type { EditRunner } from '../../access/audit/edit.ts'
import { toUserIdentity } from '../../access/permissions/findIdentity.ts'
import { HttpError } from '../../lib/errors.ts'
import type { IdGenerator } from '../../lib/idGenerator.ts'
import type { Logger } from '../../lib/logger.ts'
import { normalizeAddress } from '../../lib/network.ts'
import type { StoredUser } from '../../storage/resources/organization.ts'
import type { Store } from '../../storage/store.ts'
import type { RequestParameters } from '../oauth/readRequestParameters.ts'
import { isSecondFactorRequired, MULTI_FACTOR, PASSWORD } from '../organizations/secondFactorRequirement.ts'
import { setAccess } from '../requestState.ts'
import { createCodeVerifier } from '../secondFactor/codeVerifier.ts'
import { confirmApp, findPendingApp, startApp } from '../secondFactor/enrolApp.ts'
import { addFactor, hasSecondFactor, loadFactors } from '../secondFactor/factors.ts'
import { createDeviceCookie } from './deviceCookie.ts'
import { codeFields, renderCodePage } from './factors/codePage.ts'
import { renderAppEnrolmentPage, renderRecoveryCodesPage } from './factors/enrolmentPages.ts'
import { finishLogin } from './finishInteraction.ts'
import type { InteractionSession } from './interactionSession.ts'
import type { LoginSecrets } from './loginSecrets.ts'
import { continueLogin } from './pages/continueLogin.ts'
import { expiredInteraction } from './pages/interactionError.ts'
import { showPage } from './pages/page.ts'
import { createPasswordTicket, digestPassword, showNewPassword } from './replacePassword.ts'

/** A verified first step. */
interface FirstStep {
  readonly user: StoredUser
  /** The authentication methods (RFC 8176), as in `pwd`. */
  readonly methods: readonly string[]
  /** Whether an identity provider vouches for the sign-in: its person need not add a second factor. */
  readonly isVouched?: boolean
  /** The id of the session at the identity provider. */
  readonly upstreamSession?: string | undefined
  /** When the person signed in at the identity provider. */
  readonly authenticatedAt?: number | undefined
}

/** The step after the password or the provider: a code, a passkey, or adding a second factor that the organization requires. */
export interface SecondStep {
  /** Finishes a sign-in, or shows the page of its second step or of a new password. */
  readonly begin: (ctx: Context, session: InteractionSession, first: FirstStep) => Promise<void>
  /** Verifies a code. */
  readonly enterCode: StepAction
  /** Activates the authenticator app from the page, and shows the recovery codes. */
  readonly enrol: StepAction
  /** Finishes a sign-in after the recovery codes were shown. */
  readonly finishEnrolment: StepAction
  /**
   * Returns the first step of the ticket in a form.
   * @throws {InteractionError} if the ticket is not valid, or the account has changed since.
   */
  readonly resume: (form: RequestParameters, session: InteractionSession) => Promise<ResumedStep>
  /** Finishes a sign-in; a temporary password is replaced first. */
  readonly finish: (ctx: Context, session: InteractionSession, first: FirstStep) => Promise<void>
}

interface ResumedStep {
  readonly first: FirstStep
  readonly ticket: string
}

type StepAction = (ctx: Context, session: InteractionSession, form: RequestParameters) => Promise<void>

interface Dependencies {
  readonly store: Store
  readonly edit: EditRunner
  readonly ids: IdGenerator
  readonly log: Logger
  readonly now: () => number
  readonly publicUrl: () => string
  readonly secrets: LoginSecrets
}

/** Creates the second step. A sealed ticket in its forms proves the first step of the same interaction. */
export function createSecondStep(dependencies: Dependencies): SecondStep {
  const { store, edit, secrets, log } = dependencies
  const deviceCookie = createDeviceCookie(dependencies)
  const verifyCode = createCodeVerifier(dependencies)

  const seal = (first: FirstStep, { interaction }: InteractionSession, isDone: boolean) => {
    const { user, methods, upstreamSession, authenticatedAt } = first
    const { _id, signedOutAt = '' } = user
    const { uid } = interaction
    const contents = { uid, user: _id, password: digestPassword(user), signedOutAt, methods, isDone }
    return secrets.seal(
      PURPOSE,
      { ...contents, ...omitUndefined({ upstreamSession, authenticatedAt }) },
      TICKET_SECONDS
    )
  }
  /** @throws {InteractionError} if the ticket is not valid, or the account has changed since. */
  const open = async (
    form: RequestParameters,
    { interaction }: InteractionSession,
    isDone: boolean
  ): Promise<ResumedStep> => {
    const ticket = form.get(codeFields.ticket) ?? ''
    const contents = await secrets.open(PURPOSE, ticket)
    if (contents?.uid !== interaction.uid || contents.isDone !== isDone) throw expiredInteraction()
    const user = await store.collection('users').get({ _id: String(contents.user) })
    const isSame = digestPassword(user) === contents.password && (user?.signedOutAt ?? '') === contents.signedOutAt
    if (!user || user.isDisabled || !isSame) throw expiredInteraction()
    // Only contents that `seal` wrote can be opened.
    const { methods, upstreamSession, authenticatedAt } = contents as unknown as Omit<FirstStep, 'user'>
    return { first: { user, methods, upstreamSession, authenticatedAt }, ticket }
  }
  const finish = async (ctx: Context, session: InteractionSession, { user, ...first }: FirstStep) => {
    if (hasTemporaryPassword({ user, ...first })) {
      setAccess(ctx, { reason: 'password_change_required' })
      const ticket = await createPasswordTicket({ user, ...first }, session.interaction.uid, secrets)
      return showNewPassword(ctx, session, { email: user.email, ticket })
    }
    if (first.methods.includes(PASSWORD)) await deviceCookie.remember(ctx, user.email)
    continueLogin(ctx, await finishLogin(session, user, { ...dependencies, ...first }))
  }
  const showCodePage = async (
    ctx: Context,
    { formTarget }: InteractionSession,
    shown: { readonly user: StoredUser; readonly ticket: string; readonly problems?: readonly string[] }
  ) => {
    const { apps, passkeys } = await loadFactors(store, shown.user)
    const targets = { code: formTarget('code'), abort: formTarget('abort') }
    const passkey = passkeys.length > 0 ? formTarget('passkeyStep') : undefined
    const { email } = shown.user
    showPage(ctx, renderCodePage({ ...shown, email, ...targets, passkey, hasApp: apps.length > 0 }))
  }
  const showEnrolment = async (
    ctx: Context,
    { interaction, formTarget }: InteractionSession,
    shown: { readonly user: StoredUser; readonly ticket: string; readonly problems?: readonly string[] }
  ) => {
    const pending = shown.problems ? await findPendingApp(dependencies, shown.user, interaction.uid) : undefined
    const app = pending ?? (await startApp(dependencies, shown.user, interaction.uid))
    showPage(ctx, renderAppEnrolmentPage({ ...shown, ...app, enrol: formTarget('enrol'), abort: formTarget('abort') }))
  }
  const recordAttempt = (ctx: Context, { client }: InteractionSession, { userId, _organization }: StoredUser) => {
    setAccess(ctx, { kind: 'signIn', method: 'totp', idp_user: userId, clientId: client.clientId, _organization })
  }

  return {
    begin: async (ctx, session, first) => {
      const { user, methods, isVouched = false } = first
      const mustAdd = !isVouched && (await isSecondFactorRequired(store, user))
      const { apps, passkeys } = await loadFactors(store, user)
      const hasFactor = apps.length + passkeys.length > 0
      // A second factor is added after a temporary password was replaced, and given before.
      const isAddedNow = mustAdd && !hasTemporaryPassword(first)
      if (methods.includes(MULTI_FACTOR) || !(hasFactor || isAddedNow)) return finish(ctx, session, first)
      setAccess(ctx, { reason: hasFactor ? 'second_factor_required' : 'second_factor_enrolment_required' })
      const ticket = await seal(first, session, false)
      await (hasFactor ? showCodePage : showEnrolment)(ctx, session, { user, ticket })
    },

    enterCode: async (ctx, session, form) => {
      const { first, ticket } = await open(form, session, false)
      const { user } = first
      recordAttempt(ctx, session, user)
      try {
        const deviceId = await deviceCookie.find(ctx, user.email)
        const code = form.get(codeFields.code) ?? ''
        const accepted = await verifyCode({ user, code, ipAddress: ctx.ip, deviceId })
        if (accepted) {
          setAccess(ctx, { method: accepted, actor: 'person' })
          return await finish(ctx, session, withCode(first))
        }
        setAccess(ctx, { reason: 'wrong_code' })
        log.warn({ requestId: ctx.state.requestId, userId: user.userId }, 'the code of a second step was wrong')
        ctx.status = 422
        await showCodePage(ctx, session, { user, ticket, problems: ['The code is wrong, or was already used.'] })
      } catch (error) {
        if (!(error instanceof HttpError) || error.status !== 429) throw error
        ctx.set({ ...error.headers })
        ctx.status = 429
        await showCodePage(ctx, session, { user, ticket, problems: [formatRateLimit(error)] })
      }
    },

    enrol: async (ctx, session, form) => {
      const { first, ticket } = await open(form, session, false)
      const { user } = first
      recordAttempt(ctx, session, user)
      const organization = await store.collection('organizations').get({ key: user._organization })
      if (!organization || (await hasSecondFactor(store, user))) throw expiredInteraction()
      const confirmed = await confirmApp(dependencies, user, session.interaction.uid, form.get(codeFields.code) ?? '')
      if (confirmed === 'wrong' || confirmed === 'none') {
        const problem =
          confirmed === 'none'
            ? 'The key has expired. Add the new one below.'
            : 'The code is wrong. Check that the clock of your device is right.'
        setAccess(ctx, { reason: 'wrong_code' })
        ctx.status = 422
        return showEnrolment(ctx, session, { user, ticket, problems: [problem] })
      }
      const identity = toUserIdentity(user, organization)
      const address = normalizeAddress(ctx.ip)
      const caller = { ...identity, requiredPermission: 'project:read', source: 'api', address } as const
      const { recoveryCodes = [] } = await edit(caller, async (change) => {
        // A person who has a second factor uses it, instead of adding another with the password alone. Two browsers can
        // add one at the same time.
        if (await hasSecondFactor(change.store, user)) throw expiredInteraction()
        const members = { name: 'Authenticator app', ...confirmed }
        return addFactor(change, user, { type: 'authenticatorApp', members })
      })
      setAccess(ctx, { actor: 'person', reason: 'second_factor_added' })
      const done = await seal(withCode(first), session, true)
      showPage(ctx, renderRecoveryCodesPage({ ticket: done, recoveryCodes, enrolled: session.formTarget('enrolled') }))
    },

    finishEnrolment: async (ctx, session, form) => {
      const { first } = await open(form, session, true)
      recordAttempt(ctx, session, first.user)
      setAccess(ctx, { actor: 'person' })
      await finish(ctx, session, first)
    },

    resume: (form, session) => open(form, session, false),
    finish
  }
}

/** Whether a person signed in with a password that another person set. */
function hasTemporaryPassword({ user, methods }: FirstStep): boolean {
  return user.mustChangePassword === true && methods.includes(PASSWORD)
}

function withCode(first: FirstStep): FirstStep {
  return { ...first, methods: [...first.methods, 'otp', MULTI_FACTOR] }
}

const PURPOSE = 'second step'

/** The time for the second step, in seconds. */
const TICKET_SECONDS = 600

function formatRateLimit({ headers }: HttpError): string {
  return `Too many codes. Try again in ${headers['retry-after']} seconds.`
}
