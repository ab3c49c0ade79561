import type { Context, Middleware } from 'koa'
import type { Provider } from 'oidc-provider'
import type { MakeEdit } from '../../audit/edit.ts'
import { ApiError, methodNotAllowed } from '../../errors.ts'
import type { Logger } from '../../log.ts'
import type { Attempts } from '../../secrets/attempts.ts'
import type { Store } from '../../store/store.ts'
import { FORM, type Parameters, readParameters } from '../parameters.ts'
import type { SigningKeys } from '../signingKeys.ts'
import { createActions } from './actions.ts'
import { concludeSignIn } from './conclude.ts'
import { showFailure } from './failure.ts'
import { MARK } from './form.ts'
import { goOn } from './goOn.ts'
import { guard } from './headers.ts'
import { createIdentityProvider, type UpstreamSettings } from './identityProvider.ts'
import { CALLBACK_PATH, createProviderSignIn } from './providerSignIn.ts'
import { createSecrets, type Secrets } from './secrets.ts'
import { expired, forged } from './stopped.ts'
import { createVisits, useOf } from './visit.ts'

/** What the pages work with. */
export interface Dependencies {
  readonly provider: () => Promise<Provider>
  readonly store: Store
  readonly edit: MakeEdit
  readonly attempts: Attempts
  readonly keys: Pick<SigningKeys, 'privateJwks'>
  readonly log: Logger
  readonly now: () => number
  /** The address under which browsers reach the server; known once it listens. */
  readonly publicUrl: () => string
  /** Where else people can sign in. */
  readonly upstream?: UpstreamSettings | undefined
}

/** Answers the pages on which people sign in and consent, and those who come back from an identity provider; everything else is left to others. */
export function interactions(dependencies: Dependencies): Middleware {
  const { upstream, publicUrl, log } = dependencies
  const secrets = createSecrets(dependencies)
  const visits = createVisits({ ...dependencies, secrets })
  const identityProvider = upstream && createIdentityProvider(upstream)
  const elsewhere = identityProvider && createProviderSignIn({ ...dependencies, identityProvider, visits, secrets })
  const actions = createActions({ ...dependencies, secrets, elsewhere })

  const visitPage = async (ctx: Context, uid: string, name: string): Promise<void> => {
    const action = actions.get(name)
    if (!action) throw expired()
    if (action.takes === 'address') {
      allow(ctx, 'GET', 'HEAD')
      const visit = await visits.at(ctx, uid)
      guard(ctx, visit.redirectUri)
      return action.run(ctx, visit, new Map())
    }
    // Somebody reloads, or goes back to, the answer to a form.
    if (ctx.method === 'GET') return ctx.redirect((await visits.at(ctx, uid)).address())
    allow(ctx, 'POST')
    demandOwnOrigin(ctx, publicUrl())
    const form = await readForm(ctx)
    demandMark(form, useOf(uid, name), secrets)
    const visit = await visits.at(ctx, uid)
    guard(ctx, visit.redirectUri)
    return action.run(ctx, visit, form)
  }

  const comeBack = async (ctx: Context): Promise<void> => {
    allow(ctx, 'GET')
    if (!elsewhere) throw expired()
    const { visit, user } = await elsewhere.enter(ctx)
    goOn(ctx, await concludeSignIn(visit, user, dependencies))
  }

  return async (ctx, next) => {
    const [isPage, uid = '', name = ''] = PAGE.exec(ctx.path) ?? []
    if (isPage === undefined && ctx.path !== CALLBACK_PATH) return next()
    ctx.state.operation = 'signIn'
    guard(ctx)
    try {
      await (isPage === undefined ? comeBack(ctx) : visitPage(ctx, uid, name))
    } catch (error) {
      showFailure(ctx, error, log)
    }
  }
}

const PAGE = /^\/oauth\/interactions\/([\w-]{1,100})(?:\/(\w+))?$/

function allow(ctx: Context, ...methods: readonly string[]): void {
  if (!methods.includes(ctx.method)) throw methodNotAllowed(ctx.path, methods, ctx.method)
}

async function readForm(ctx: Context): Promise<Parameters> {
  if (!ctx.is(FORM)) throw new ApiError(415, 'unsupported_media_type', `content-type should be ${FORM}`)
  return readParameters(ctx.req)
}

/** Refuses what a page of somebody else sends. Browsers that say nothing of where a form comes from leave it to the mark in it. */
function demandOwnOrigin(ctx: Context, publicUrl: string): void {
  const [site, origin] = [ctx.get('sec-fetch-site'), ctx.get('origin')]
  if (site !== '' && site !== 'same-origin') throw forged()
  // Pages that tell nobody where they are send forms with this one.
  if (origin !== '' && origin !== 'null' && origin !== new URL(publicUrl).origin) throw forged()
}

function demandMark(form: Parameters, use: string, secrets: Secrets): void {
  if (!secrets.isMark(form.get(MARK) ?? '', use)) throw forged()
}
