import type { Context } from 'koa'
import type { MakeEdit } from '../../audit/edit.ts'
import type { Logger } from '../../log.ts'
import type { StoredUser } from '../../store/resources.ts'
import { issuerOf } from '../issuer.ts'
import { admit } from './admit.ts'
import { type Checks, Declined, type IdentityProvider } from './identityProvider.ts'
import type { Secrets } from './secrets.ts'
import { expired, Stopped } from './stopped.ts'
import type { Told } from './told.ts'
import type { Visit, Visits } from './visit.ts'

/** Signing in elsewhere: the way there, and the way back. */
export interface ProviderSignIn {
  /** The provider, as people know it. */
  readonly name: string
  /** Sends a browser to the provider. */
  readonly leave: (ctx: Context, visit: Visit) => Promise<void>
  /** Who has come back from there, and to which visit. @throws {Stopped} */
  readonly enter: (ctx: Context) => Promise<{ readonly visit: Visit; readonly user: StoredUser }>
}

interface Dependencies {
  readonly identityProvider: IdentityProvider
  readonly visits: Visits
  readonly secrets: Secrets
  readonly edit: MakeEdit
  readonly log: Logger
  readonly publicUrl: () => string
}

/** Where the provider sends browsers back to, below the public address. */
export const CALLBACK_PATH = '/oauth/callback'

/** Signs people in through a provider. What is on its way is kept in the browser, closed up. */
export function createProviderSignIn(dependencies: Dependencies): ProviderSignIn {
  const { identityProvider, visits, secrets, edit, log, publicUrl } = dependencies
  const callback = () => `${issuerOf(publicUrl()).slice(0, -1)}${CALLBACK_PATH}`
  const cookie = () => cookieOf(publicUrl())
  return {
    name: identityProvider.name,
    leave: async (ctx, visit) => {
      const { address, checks } = await identityProvider.begin(callback()).catch((cause) => {
        log.warn({ requestId: ctx.state.requestId, err: cause }, 'the identity provider cannot be reached')
        throw unreachable(identityProvider.name, visit, cause)
      })
      const contents = { uid: visit.interaction.uid, ...checks }
      ctx.append('set-cookie', `${cookie().begin}${await secrets.seal(PURPOSE, contents, SECONDS)}${cookie().end}`)
      ctx.redirect(address)
    },
    enter: async (ctx) => {
      const sealed = ctx.cookies.get(cookie().name)
      const opened = sealed === undefined ? undefined : await secrets.open(PURPOSE, sealed)
      if (!opened) throw expired()
      // Only what `leave` has closed up can be opened.
      const { uid, ...checks } = opened as unknown as Checks & { readonly uid: string }
      // It is good for one return.
      ctx.append('set-cookie', `${cookie().begin}${cookie().end.replace(/Max-Age=\d+/, 'Max-Age=0')}`)
      const visit = await visits.named(uid)
      const told = await identityProvider.finish(new URL(ctx.search, callback()), checks).catch((cause) => {
        log.warn({ requestId: ctx.state.requestId, err: cause }, 'a sign-in through the identity provider failed')
        throw notTold(identityProvider.name, visit, cause)
      })
      return { visit, user: await admitted(told, visit) }
    }
  }

  function admitted(told: Told, { client }: Visit): Promise<StoredUser> {
    return admit(told, { edit, organization: client._organization })
  }
}

const PURPOSE = 'provider'

/** How long somebody has for signing in there. */
const SECONDS = 600

/** The cookie for the way to the provider and back. Over https browsers see to it that this server has set it. */
function cookieOf(publicUrl: string) {
  const { protocol } = new URL(publicUrl)
  const [name, secure] = protocol === 'https:' ? ['__Host-burgee-provider', '; Secure'] : ['burgee-provider', '']
  return { name, begin: `${name}=`, end: `; Max-Age=${SECONDS}; Path=/; HttpOnly; SameSite=Lax${secure}` }
}

function unreachable(name: string, visit: Visit, cause: unknown): Stopped {
  const message = `${name} cannot be reached at the moment. Try again in a while, or sign in with a password.`
  return new Stopped({ status: 503, title: TITLE, message, next: back(visit) }, { cause })
}

function notTold(name: string, visit: Visit, cause: unknown): Stopped {
  const message =
    cause instanceof Declined
      ? `${name} did not sign you in.`
      : `What ${name} answered cannot be used. Try again; if that does not help, tell an administrator of Burgee.`
  return new Stopped(
    { status: cause instanceof Declined ? 403 : 502, title: TITLE, message, next: back(visit) },
    { cause }
  )
}

const TITLE = 'You are not signed in'

function back(visit: Visit) {
  return { address: visit.address(), label: 'Back to signing in' }
}
