import type { Context } from 'koa'
import type { EditRunner } from '../../access/audit/edit.ts'
import type { IdGenerator } from '../../lib/idGenerator.ts'
import type { Logger } from '../../lib/logger.ts'
import type { Store } from '../../storage/store.ts'
import type { SecretHasher } from '../secrets/secretHash.ts'
import { DENIED, finishInteraction, restartAuthorization } from './finishInteraction.ts'
import { grantConsent, requestedAccess } from './grantConsent.ts'
import { type FormAction, type InteractionSession, toClientName } from './interactionSession.ts'
import type { LoginSecrets } from './loginSecrets.ts'
import { renderConsentPage } from './pages/consentPage.ts'
import { continueLogin } from './pages/continueLogin.ts'
import { expiredInteraction } from './pages/interactionError.ts'
import { showPage } from './pages/page.ts'
import { createPasskeyStep } from './passkeyStep.ts'
import { createPasswordStep } from './passwordStep.ts'
import type { SecondStep } from './secondStep.ts'
import type { UpstreamLogin } from './upstreamLogin.ts'

/** An action of a login or consent page. */
export interface InteractionAction {
  /** Whether the action requires a form with a valid token, or only the URL. */
  readonly input: 'form' | 'address'
  readonly run: FormAction
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
  /** Whether the demo project exists, whose link signs in for the first time. */
  readonly isDemo: boolean
}

/** The actions by the last part of the path; an empty part shows the page. */
export function createInteractionActions(dependencies: Dependencies): ReadonlyMap<string, InteractionAction> {
  const { store, upstreamLogin, publicUrl, secondStep } = dependencies
  const passwordStep = createPasswordStep(dependencies)
  const passkeyStep = createPasskeyStep(dependencies)

  const showConsent = async (ctx: Context, { interaction, client, redirectUri, formTarget }: InteractionSession) => {
    const { session, params } = interaction
    const person = session && (await store.collection('users').get({ userId: session.accountId }))
    if (!person) throw expiredInteraction()
    const allowance = requestedAccess(client, params.scope)
    const targets = { allow: formTarget('consent'), abort: formTarget('abort'), change: formTarget('another') }
    const shown = { ...client, name: toClientName(client) }
    showPage(ctx, renderConsentPage({ client: shown, person, ...allowance, redirectUri, ...targets }))
  }

  const actions: Readonly<Record<string, InteractionAction>> = {
    '': {
      input: 'address',
      run: async (ctx, interactionSession) => {
        const { prompt, params } = interactionSession.interaction
        if (prompt.name === 'consent') await showConsent(ctx, interactionSession)
        else
          await passwordStep.show(ctx, interactionSession, {
            email: typeof params.login_hint === 'string' ? params.login_hint : ''
          })
      }
    },
    login: { input: 'form', run: passwordStep.enter },
    password: { input: 'form', run: passwordStep.replace },
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
        continueLogin(ctx, await finishInteraction(interactionSession, DENIED))
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
