import type { AddPasskey } from '@burgee/contract/schemas'
import { AddPasskey as AddPasskeySchema } from '@burgee/contract/schemas'
import type { Context } from 'koa'
import { badRequest, HttpError } from '../../lib/errors.ts'
import {
  addPasskey,
  confirmAuthenticatorApp,
  deleteSecondFactor,
  replaceRecoveryCodes,
  startAuthenticatorApp
} from '../account/ownSecondFactors.ts'
import type { RequestParameters } from '../oauth/readRequestParameters.ts'
import { findPendingApp } from '../secondFactor/enrolApp.ts'
import type { AccountDependencies } from './accountDependencies.ts'
import type { AccountSession } from './accountSession.ts'
import type { AccountViews } from './accountViews.ts'
import { accountFields } from './renderAccountPage.ts'

/** Processes a submitted form, and shows the next page. */
type AccountAction = (ctx: Context, session: AccountSession, form: RequestParameters) => Promise<void>

/** Creates the actions of the forms, by the last segment of their path. */
export function accountActions(
  dependencies: AccountDependencies,
  { showAdded, showApp, redirectToFactors }: AccountViews
): Readonly<Record<string, AccountAction>> {
  return {
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
      redirectToFactors(ctx)
    },
    codes: async (ctx, session) => showAdded(ctx, await replaceRecoveryCodes(dependencies, session.caller))
  }
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
