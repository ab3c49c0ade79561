import { legible } from '@burgee/contract'
import type { Context } from 'koa'
import type { MakeEdit } from '../../audit/edit.ts'
import { ApiError } from '../../errors.ts'
import type { Logger } from '../../log.ts'
import type { Attempts } from '../../secrets/attempts.ts'
import type { Store } from '../../store/store.ts'
import type { Parameters } from '../parameters.ts'
import { conclude, concludeSignIn, startAnew } from './conclude.ts'
import { allowanceOf, consent } from './consent.ts'
import { consentPage } from './consentPage.ts'
import { goOn } from './goOn.ts'
import { fields, newPasswordPage } from './newPasswordPage.ts'
import { createPasswordSignIn } from './passwordSignIn.ts'
import type { ProviderSignIn } from './providerSignIn.ts'
import { holderOf, mistakesOf, replacePassword, ticketFor } from './replacePassword.ts'
import type { Secrets } from './secrets.ts'
import { signInPage } from './signInPage.ts'
import { expired } from './stopped.ts'
import type { Visit } from './visit.ts'

/** One thing that somebody can do on a visit. */
export interface Action {
  /** What it takes: a form, which proves that the page was one with this button, or only its address. */
  readonly takes: 'form' | 'address'
  readonly run: (ctx: Context, visit: Visit, form: Parameters) => Promise<void>
}

interface Dependencies {
  readonly store: Store
  readonly edit: MakeEdit
  readonly attempts: Attempts
  readonly log: Logger
  readonly now: () => number
  readonly publicUrl: () => string
  readonly secrets: Secrets
  /** Where else people can sign in. */
  readonly elsewhere: (ProviderSignIn & { readonly name: string }) | undefined
}

/** What somebody can do, by the last part of the address: nothing there shows the page. */
export function createActions(dependencies: Dependencies): ReadonlyMap<string, Action> {
  const { store, secrets, elsewhere, publicUrl } = dependencies
  const signIn = createPasswordSignIn(dependencies)

  const showSignIn = (
    ctx: Context,
    { client, address, target }: Visit,
    shown: { readonly email: string; readonly problems?: readonly string[] }
  ) => {
    const other = elsewhere && { name: elsewhere.name, address: address('provider') }
    const targets = { login: target('login'), abort: target('abort') }
    show(ctx, signInPage({ ...shown, clientName: nameOf(client), ...targets, elsewhere: other }))
  }

  const showConsent = async (ctx: Context, { interaction, client, redirectUri, target }: Visit) => {
    const { session, params } = interaction
    const person = session && (await store.collection('users').get({ userId: session.accountId }))
    if (!person) throw expired()
    const allowance = allowanceOf(client, params.scope)
    const targets = { allow: target('consent'), abort: target('abort'), change: target('another') }
    const shown = { ...client, name: nameOf(client) }
    show(ctx, consentPage({ client: shown, person, ...allowance, redirectUri, ...targets }))
  }

  const showNewPassword = (
    ctx: Context,
    { target }: Visit,
    shown: { readonly email: string; readonly ticket: string; readonly problems?: readonly string[] }
  ) => show(ctx, newPasswordPage({ ...shown, password: target('password'), abort: target('abort') }))

  const actions: Readonly<Record<string, Action>> = {
    '': {
      takes: 'address',
      run: async (ctx, visit) => {
        const { prompt, params } = visit.interaction
        if (prompt.name === 'consent') await showConsent(ctx, visit)
        else showSignIn(ctx, visit, { email: typeof params.login_hint === 'string' ? params.login_hint : '' })
      }
    },
    login: {
      takes: 'form',
      run: async (ctx, visit, form) => {
        const [email, password] = [form.get('email') ?? '', form.get('password') ?? '']
        const from = { organization: visit.client._organization, source: ctx.ip, requestId: ctx.state.requestId }
        try {
          const user = await signIn({ ...from, email, password })
          if (!user) {
            ctx.status = 422
            showSignIn(ctx, visit, { email, problems: ['The e-mail address or the password is wrong.'] })
          } else if (user.mustChangePassword) {
            const ticket = await ticketFor(user, visit.interaction.uid, secrets)
            showNewPassword(ctx, visit, { email: user.email, ticket })
          } else goOn(ctx, await concludeSignIn(visit, user, { ...dependencies, method: 'pwd' }))
        } catch (error) {
          if (!(error instanceof ApiError) || error.status !== 429) throw error
          ctx.set({ ...error.headers })
          ctx.status = 429
          showSignIn(ctx, visit, { email, problems: [tooMany(error)] })
        }
      }
    },
    password: {
      takes: 'form',
      run: async (ctx, visit, form) => {
        const [ticket, password] = [form.get(fields.ticket) ?? '', form.get(fields.password) ?? '']
        const repeated = form.get(fields.repeated) ?? ''
        const user = await holderOf(ticket, visit.interaction.uid, dependencies)
        const problems = await mistakesOf(password, repeated, user)
        if (problems.length > 0) {
          ctx.status = 422
          showNewPassword(ctx, visit, { email: user.email, ticket, problems })
        } else {
          const changed = await replacePassword(user, password, dependencies)
          goOn(ctx, await concludeSignIn(visit, changed, { ...dependencies, method: 'pwd' }))
        }
      }
    },
    provider: {
      takes: 'address',
      run: async (ctx, visit) => {
        if (!elsewhere || visit.interaction.prompt.name !== 'login') throw expired()
        await elsewhere.leave(ctx, visit)
      }
    },
    consent: {
      takes: 'form',
      run: async (ctx, visit) => goOn(ctx, await consent(visit))
    },
    abort: {
      takes: 'form',
      run: async (ctx, visit) => {
        const error_description = 'the person did not allow it'
        goOn(ctx, await conclude(visit, { error: 'access_denied', error_description }))
      }
    },
    another: {
      takes: 'form',
      run: async (ctx, visit) => goOn(ctx, await startAnew(visit, publicUrl()))
    }
  }
  return new Map(Object.entries(actions))
}

/** What people know an application by: never nothing. */
function nameOf({ name, clientId }: Visit['client']): string {
  return legible(name) || clientId
}

function show(ctx: Context, page: string): void {
  ctx.type = 'html'
  ctx.body = page
}

function tooMany({ headers }: ApiError): string {
  return `There were too many attempts to sign in. Try again in ${headers['retry-after']} seconds.`
}
