import type { Context } from 'koa'
import type { IdGenerator } from '../../lib/idGenerator.ts'
import type { Logger } from '../../lib/logger.ts'
import type { Store } from '../../storage/store.ts'
import { paths } from '../oauth/paths.ts'
import { toPublicPath } from '../oauth/toIssuer.ts'
import { MULTI_FACTOR } from '../organizations/secondFactorRequirement.ts'
import { setAccess } from '../requestState.ts'
import { codeFields } from './factors/codePage.ts'
import { createPasskeyLogin, type PasskeyRefusal } from './factors/passkeyLogin.ts'
import { CREDENTIAL_FIELD, renderPasskeyPage } from './factors/passkeyPage.ts'
import type { FormAction, InteractionSession } from './interactionSession.ts'
import { expiredInteraction } from './pages/interactionError.ts'
import { showPage } from './pages/page.ts'
import { setSecurityHeaders } from './pages/securityHeaders.ts'
import type { SecondStep } from './secondStep.ts'

/** The pages of a sign-in by passkey, on its own or as the second step. */
export interface PasskeyStep {
  readonly show: (ctx: Context, session: InteractionSession) => Promise<void>
  /** Shows the page with the ticket of the first step. */
  readonly showSecond: FormAction
  /** Verifies the response of a passkey; with a ticket, that of the person of the first step. */
  readonly enter: FormAction
}

interface Dependencies {
  readonly store: Store
  readonly ids: IdGenerator
  readonly now: () => number
  readonly log: Logger
  readonly publicUrl: () => string
  readonly secondStep: SecondStep
}

/** Creates the pages. A second step continues the first one: its methods, and its session at the identity provider. */
export function createPasskeyStep(dependencies: Dependencies): PasskeyStep {
  const { publicUrl, secondStep } = dependencies
  const passkeyLogin = createPasskeyLogin(dependencies)

  const showPasskey = async (
    ctx: Context,
    { interaction, redirectUri, url, formTarget }: InteractionSession,
    shown: { readonly ticket: string; readonly problems?: readonly string[] }
  ) => {
    if (interaction.prompt.name !== 'login') throw expiredInteraction()
    const options = await passkeyLogin.start(interaction.uid, ctx.ip)
    setSecurityHeaders(ctx, redirectUri, 'self')
    const script = toPublicPath(publicUrl(), paths.passkeyScript)
    showPage(ctx, renderPasskeyPage({ ...shown, options, signIn: formTarget('assertion'), script, back: url() }))
  }

  return {
    show: (ctx, session) => showPasskey(ctx, session, { ticket: '' }),

    showSecond: async (ctx, session, form) => {
      const { ticket } = await secondStep.resume(form, session)
      await showPasskey(ctx, session, { ticket })
    },

    enter: async (ctx, session, form) => {
      const { client, interaction } = session
      const { clientId, _organization: organization } = client
      setAccess(ctx, { kind: 'signIn', method: 'passkey', clientId, _organization: organization })
      const ticket = form.get(codeFields.ticket) ?? ''
      const first = ticket === '' ? undefined : (await secondStep.resume(form, session)).first
      let refusal: PasskeyRefusal | undefined
      const user = await passkeyLogin.complete({
        uid: interaction.uid,
        organization,
        requestId: ctx.state.requestId,
        firstStep: first?.user,
        credential: form.get(CREDENTIAL_FIELD) ?? '',
        onRefused: (given) => {
          refusal = given
          setAccess(ctx, given)
        }
      })
      if (user) {
        setAccess(ctx, { idp_user: user.userId, actor: 'person' })
        const methods = [...(first?.methods ?? []), ...PASSKEY_METHODS]
        return secondStep.finish(ctx, session, { ...first, user: first?.user ?? user, methods })
      }
      ctx.status = 422
      const problem = refusal?.reason === 'provider_required' ? PROVIDER_REQUIRED : NOT_ACCEPTED
      await showPasskey(ctx, session, { ticket, problems: [problem] })
    }
  }
}

/** The methods of a passkey that verified the user (RFC 8176): possession of a key, and a person. */
const PASSKEY_METHODS = ['swk', 'user', MULTI_FACTOR] as const

const NOT_ACCEPTED = 'This passkey was not accepted. Try again.'
const PROVIDER_REQUIRED = 'Sign in through your identity provider: your passkey counts as the second step only.'
