import { omitUndefined } from '@burgee/kit'
import { withoutTrailingSlashes } from '@burgee/kit/text'
import type { Context } from 'koa'
import type { EditRunner } from '../../access/audit/edit.ts'
import type { Logger } from '../../lib/logger.ts'
import { MINUTE, SECOND } from '../../lib/time.ts'
import type { StoredUser } from '../../storage/resources/organization.ts'
import { paths } from '../oauth/paths.ts'
import { quoteOAuthError } from '../oauth/quoteOAuthError.ts'
import { RECENT_MS } from '../secondFactor/assertRecentSignIn.ts'
import type { IdentityProvider } from '../upstream/identityProvider.ts'
import { type Freshness, type LoginChecks, LoginDeclinedError } from '../upstream/providerLogin.ts'
import type { UpstreamClaims } from '../upstream/upstreamClaims.ts'
import type { UpstreamSessions } from '../upstream/upstreamSessions.ts'
import type { InteractionSession, InteractionSessions } from './interactionSession.ts'
import { linkAccount } from './linkAccount.ts'
import type { LoginSecrets } from './loginSecrets.ts'
import { expiredInteraction, InteractionError } from './pages/interactionError.ts'

/** The login through an upstream provider: redirect and callback. */
export interface UpstreamLogin {
  /** The display name of the provider. */
  readonly name: string
  /** Redirects a browser to the provider. */
  readonly redirectToProvider: (ctx: Context, interactionSession: InteractionSession) => Promise<void>
  /** Handles the callback. @throws {InteractionError} */
  readonly handleCallback: (ctx: Context) => Promise<HandledCallback>
}

/** A login at the provider that was accepted. */
interface HandledCallback {
  readonly interactionSession: InteractionSession
  readonly user: StoredUser
  readonly factors: UpstreamClaims['factors']
  /** The id of the session at the provider. */
  readonly upstreamSession: string
  /** When the person signed in at the provider; a time that is not recent if the provider sends no `auth_time`. */
  readonly authenticatedAt: number
}

interface Dependencies {
  readonly identityProvider: IdentityProvider
  readonly upstreamSessions: UpstreamSessions
  readonly interactionSessions: InteractionSessions
  readonly secrets: LoginSecrets
  readonly edit: EditRunner
  readonly log: Logger
  readonly publicUrl: () => string
  readonly now: () => number
}

/** Creates the upstream login. Its state travels in an encrypted cookie. */
export function createUpstreamLogin(dependencies: Dependencies): UpstreamLogin {
  const { identityProvider, upstreamSessions, interactionSessions, secrets, edit, log, publicUrl, now } = dependencies
  const callback = () => `${withoutTrailingSlashes(publicUrl())}${paths.callback}`
  const cookie = () => cookieOf(publicUrl())
  return {
    name: identityProvider.name,
    redirectToProvider: async (ctx, interactionSession) => {
      const freshness = requestedFreshness(interactionSession)
      const { address, checks } = await identityProvider.startLogin(callback(), freshness).catch((cause) => {
        log.warn({ requestId: ctx.state.requestId, err: cause }, 'the identity provider cannot be reached')
        throw unreachable(identityProvider.name, interactionSession, cause)
      })
      const since = freshness && now() - (freshness.isForced ? 0 : freshness.maxAge * SECOND) - CLOCK_SKEW_MS
      const contents = { uid: interactionSession.interaction.uid, ...checks, ...omitUndefined({ since }) }
      ctx.append(
        'set-cookie',
        `${cookie().begin}${await secrets.seal(PURPOSE, contents, LOGIN_SECONDS)}${cookie().end}`
      )
      ctx.redirect(address)
    },
    handleCallback: async (ctx) => {
      const sealed = ctx.cookies.get(cookie().name)
      const opened = sealed === undefined ? undefined : await secrets.open(PURPOSE, sealed)
      if (!opened) throw expiredInteraction()
      // Only values that `redirectToProvider` sealed can be opened.
      const { uid, since, ...checks } = opened as unknown as SealedLogin
      // The state is valid for one callback.
      ctx.append('set-cookie', `${cookie().begin}${cookie().end.replace(/Max-Age=\d+/, 'Max-Age=0')}`)
      const interactionSession = await interactionSessions.getByUid(uid)
      const { client } = interactionSession
      const login = await identityProvider.completeLogin(new URL(ctx.search, callback()), checks).catch((cause) => {
        log.warn({ requestId: ctx.state.requestId, err: cause }, 'login through the identity provider failed')
        throw loginFailed(identityProvider.name, interactionSession, cause)
      })
      const authenticatedAt = isPast(login.authenticatedAt, now()) ? login.authenticatedAt : UNKNOWN
      if (since !== undefined && authenticatedAt < since) throw notRecent(identityProvider.name, interactionSession)
      const user = await linkAccount(login.claims, { edit, log, organization: client._organization })
      const { factors } = login.claims
      const upstreamSession = await upstreamSessions.add(user, login)
      // Without a time, the sign-in does not count as recent.
      const signedInAt = authenticatedAt === UNKNOWN ? now() - RECENT_MS - SECOND : Math.min(authenticatedAt, now())
      return { interactionSession, user, factors, upstreamSession, authenticatedAt: signedInAt }
    }
  }
}

const PURPOSE = 'provider'

/** The state of a login at the provider. */
interface SealedLogin extends LoginChecks {
  readonly uid: string
  /** The earliest acceptable time of the sign-in at the provider, if the application asked for a recent one. */
  readonly since?: number
}

/** Whether a provider sent the time of the sign-in, and it is not beyond the clock skew in the future. */
function isPast(authenticatedAt: number | undefined, now: number): authenticatedAt is number {
  return authenticatedAt !== undefined && authenticatedAt <= now + CLOCK_SKEW_MS
}

/** The time of a sign-in at a provider that sends no `auth_time`, or one in the future. */
const UNKNOWN = Number.NEGATIVE_INFINITY

/** The clock skew allowed between this server and the provider, in milliseconds. */
const CLOCK_SKEW_MS = MINUTE

/** Returns how recent a sign-in the application asked for, by `prompt=login` or `max_age`. */
function requestedFreshness({ interaction }: InteractionSession): Freshness | undefined {
  const { prompt, max_age } = interaction.params
  const isForced = String(prompt ?? '')
    .split(' ')
    .includes('login')
  const maxAge = Number(max_age ?? (isForced ? RECENT_MS / SECOND : Number.NaN))
  return Number.isSafeInteger(maxAge) ? { maxAge, isForced } : undefined
}

/** The time limit for logging in at the provider, in seconds. */
const LOGIN_SECONDS = 600

/** Returns the cookie of the login state. Over https, browsers enforce by its prefix that this host set it. */
function cookieOf(publicUrl: string) {
  const { protocol } = new URL(publicUrl)
  const [name, secure] = protocol === 'https:' ? ['__Host-burgee-provider', '; Secure'] : ['burgee-provider', '']
  return { name, begin: `${name}=`, end: `; Max-Age=${LOGIN_SECONDS}; Path=/; HttpOnly; SameSite=Lax${secure}` }
}

function unreachable(name: string, interactionSession: InteractionSession, cause: unknown): InteractionError {
  const message = `${name} cannot be reached at the moment. Try again later, or sign in with a password.`
  return new InteractionError({ status: 503, title: TITLE, message, next: back(interactionSession) }, { cause })
}

function notRecent(name: string, interactionSession: InteractionSession): InteractionError {
  const cause = new Error('the provider returned no auth_time, or one that is too old or in the future')
  const message = `${name} did not confirm that you signed in just now. Sign out there, and try again.`
  return new InteractionError({ status: 403, title: TITLE, message, next: back(interactionSession) }, { cause })
}

function loginFailed(name: string, interactionSession: InteractionSession, cause: unknown): InteractionError {
  const message =
    cause instanceof LoginDeclinedError
      ? `${name} did not sign you in. It said: ${quoteOAuthError(cause.message, cause.description)}.`
      : `${name} sent an invalid response. Try again. If the problem persists, contact an administrator of Burgee.`
  return new InteractionError(
    { status: cause instanceof LoginDeclinedError ? 403 : 502, title: TITLE, message, next: back(interactionSession) },
    { cause }
  )
}

const TITLE = 'You are not signed in'

function back(interactionSession: InteractionSession) {
  return { address: interactionSession.url(), label: 'Back to signing in' }
}
