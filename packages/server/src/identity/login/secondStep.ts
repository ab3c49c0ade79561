import type { Context } from 'koa'
import type { EditRunner } from '../../access/audit/edit.ts'
import type { IdGenerator } from '../../lib/idGenerator.ts'
import type { Logger } from '../../lib/logger.ts'
import type { StoredUser } from '../../storage/resources/organization.ts'
import type { Store } from '../../storage/store.ts'
import type { RequestParameters } from '../oauth/readRequestParameters.ts'
import { isSecondFactorRequired, MULTI_FACTOR, PASSWORD } from '../organizations/secondFactorRequirement.ts'
import { setAccess } from '../requestState.ts'
import { createCodeVerifier } from '../secondFactor/codeVerifier.ts'
import { loadFactors } from '../secondFactor/factors.ts'
import { createDeviceCookie } from './deviceCookie.ts'
import { createEnrolment, recordCodeEntry, withCode } from './enrolment.ts'
import { codeFields, renderCodePage } from './factors/codePage.ts'
import { finishLogin } from './finishInteraction.ts'
import type { FormAction, InteractionSession } from './interactionSession.ts'
import type { LoginSecrets } from './loginSecrets.ts'
import { openTicket, sealTicket, type VerifiedSteps } from './loginTicket.ts'
import { continueLogin } from './pages/continueLogin.ts'
import { showPage } from './pages/page.ts'
import { showRateLimit } from './pages/showRateLimit.ts'
import { showNewPassword } from './replacePassword.ts'

/** A verified first step. */
interface FirstStep extends VerifiedSteps {
  /** Whether an identity provider vouches for the sign-in: its person need not add a second factor. */
  readonly isVouched?: boolean
}

/**
 * The step after the password or the provider: a code, a passkey, or adding a second factor that the organization
 * requires.
 */
export interface SecondStep {
  /** Finishes a sign-in, or shows the page of its second step or of a new password. */
  readonly begin: (ctx: Context, session: InteractionSession, first: FirstStep) => Promise<void>
  /** Verifies a code. */
  readonly enterCode: FormAction
  /** Activates the authenticator app from the page, and shows the recovery codes. */
  readonly enrol: FormAction
  /** Finishes a sign-in after the recovery codes were shown. */
  readonly finishEnrolment: FormAction
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
  const { store, secrets, log } = dependencies
  const deviceCookie = createDeviceCookie(dependencies)
  const verifyCode = createCodeVerifier(dependencies)
  const enrolment = createEnrolment(dependencies)

  const resume: SecondStep['resume'] = async (form, { interaction }) => {
    const ticket = form.get(codeFields.ticket) ?? ''
    return { first: await openTicket('second step', ticket, interaction.uid, dependencies), ticket }
  }
  const finish = async (ctx: Context, session: InteractionSession, { user, ...first }: FirstStep) => {
    if (hasTemporaryPassword({ user, ...first })) {
      setAccess(ctx, { reason: 'password_change_required' })
      const ticket = await sealTicket('ticket', { user, ...first }, session.interaction.uid, secrets)
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
      const ticket = await sealTicket('second step', first, session.interaction.uid, secrets)
      await (hasFactor ? showCodePage : enrolment.show)(ctx, session, { user, ticket })
    },

    enterCode: async (ctx, session, form) => {
      const { first, ticket } = await resume(form, session)
      const { user } = first
      recordCodeEntry(ctx, session, user)
      const showProblem = (problem: string) => showCodePage(ctx, session, { user, ticket, problems: [problem] })
      const work = async () => {
        const deviceId = await deviceCookie.find(ctx, user.email)
        const code = form.get(codeFields.code) ?? ''
        const accepted = await verifyCode({ user, code, ipAddress: ctx.ip, deviceId })
        if (accepted) {
          setAccess(ctx, { method: accepted, actor: 'person' })
          return finish(ctx, session, withCode(first))
        }
        setAccess(ctx, { reason: 'wrong_code' })
        log.warn({ requestId: ctx.state.requestId, userId: user.userId }, 'the code of a second step was wrong')
        ctx.status = 422
        await showProblem('The code is wrong, or was already used.')
      }
      await showRateLimit(ctx, work, (seconds) => showProblem(`Too many codes. Try again in ${seconds} seconds.`))
    },

    enrol: enrolment.enter,

    finishEnrolment: async (ctx, session, form) => {
      const ticket = form.get(codeFields.ticket) ?? ''
      const first = await openTicket('enrolled', ticket, session.interaction.uid, dependencies)
      recordCodeEntry(ctx, session, first.user)
      setAccess(ctx, { actor: 'person' })
      await finish(ctx, session, first)
    },

    resume,
    finish
  }
}

/** Whether a person signed in with a password that another person set. */
function hasTemporaryPassword({ user, methods }: FirstStep): boolean {
  return user.mustChangePassword === true && methods.includes(PASSWORD)
}
