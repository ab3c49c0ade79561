import type { Context } from 'koa'
import type { EditRunner } from '../../access/audit/edit.ts'
import { toUserIdentity } from '../../access/permissions/findIdentity.ts'
import type { IdGenerator } from '../../lib/idGenerator.ts'
import { normalizeAddress } from '../../lib/network.ts'
import type { StoredUser } from '../../storage/resources/organization.ts'
import type { Store } from '../../storage/store.ts'
import { MULTI_FACTOR } from '../organizations/secondFactorRequirement.ts'
import { setAccess } from '../requestState.ts'
import { confirmApp, findPendingApp, startApp } from '../secondFactor/enrolApp.ts'
import { addFactor, hasSecondFactor } from '../secondFactor/factors.ts'
import { codeFields } from './factors/codePage.ts'
import { renderAppEnrolmentPage, renderRecoveryCodesPage } from './factors/enrolmentPages.ts'
import type { FormAction, InteractionSession } from './interactionSession.ts'
import type { LoginSecrets } from './loginSecrets.ts'
import { openTicket, sealTicket, type VerifiedSteps } from './loginTicket.ts'
import { expiredInteraction } from './pages/interactionError.ts'
import { showPage } from './pages/page.ts'

/** Adding an authenticator app during a sign-in, because the organization requires a second factor. */
export interface Enrolment {
  /** Shows the key of a new app. */
  readonly show: (
    ctx: Context,
    session: InteractionSession,
    shown: { readonly user: StoredUser; readonly ticket: string; readonly problems?: readonly string[] }
  ) => Promise<void>
  /** Verifies the first code of the app, adds it, and shows the recovery codes. */
  readonly enter: FormAction
}

interface Dependencies {
  readonly store: Store
  readonly edit: EditRunner
  readonly ids: IdGenerator
  readonly now: () => number
  readonly publicUrl: () => string
  readonly secrets: LoginSecrets
}

/** Creates the enrolment. The ticket in its forms is that of the second step. */
export function createEnrolment(dependencies: Dependencies): Enrolment {
  const { store, edit, secrets } = dependencies
  const show = async (
    ctx: Context,
    { interaction, formTarget }: InteractionSession,
    shown: { readonly user: StoredUser; readonly ticket: string; readonly problems?: readonly string[] }
  ) => {
    const pending = shown.problems ? await findPendingApp(dependencies, shown.user, interaction.uid) : undefined
    const app = pending ?? (await startApp(dependencies, shown.user, interaction.uid))
    showPage(ctx, renderAppEnrolmentPage({ ...shown, ...app, enrol: formTarget('enrol'), abort: formTarget('abort') }))
  }

  return {
    show,
    enter: async (ctx, session, form) => {
      const { uid } = session.interaction
      const ticket = form.get(codeFields.ticket) ?? ''
      const first = await openTicket('second step', ticket, uid, dependencies)
      const { user } = first
      recordCodeEntry(ctx, session, user)
      const organization = await store.collection('organizations').get({ key: user._organization })
      if (!organization || (await hasSecondFactor(store, user))) throw expiredInteraction()
      const confirmed = await confirmApp(dependencies, user, uid, form.get(codeFields.code) ?? '')
      if (confirmed === 'wrong' || confirmed === 'none') {
        const problem =
          confirmed === 'none'
            ? 'The key has expired. Add the new one below.'
            : 'The code is wrong. Check that the clock of your device is right.'
        setAccess(ctx, { reason: 'wrong_code' })
        ctx.status = 422
        return show(ctx, session, { user, ticket, problems: [problem] })
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
      const done = await sealTicket('enrolled', withCode(first), uid, secrets)
      showPage(ctx, renderRecoveryCodesPage({ ticket: done, recoveryCodes, enrolled: session.formTarget('enrolled') }))
    }
  }
}

/** Sets what the access log records about the entry of a code. */
export function recordCodeEntry(
  ctx: Context,
  { client }: InteractionSession,
  { userId, _organization }: StoredUser
): void {
  setAccess(ctx, { kind: 'signIn', method: 'totp', idp_user: userId, clientId: client.clientId, _organization })
}

/** Returns verified steps with an accepted code. */
export function withCode(steps: VerifiedSteps): VerifiedSteps {
  return { ...steps, methods: [...steps.methods, 'otp', MULTI_FACTOR] }
}
