import type { Context } from 'koa'
import type { Provider } from 'oidc-provider'
import type { StoredClient } from '../../storage/resources.ts'
import type { Store } from '../../storage/store.ts'
import { toIssuer } from '../tokens/toIssuer.ts'
import type { LoginSecrets } from './loginSecrets.ts'
import type { FormTarget } from './pages/form.ts'
import { expiredInteraction } from './pages/interactionError.ts'

/** What the authorization server waits for somebody to do: to sign in, or to consent. */
export type Interaction = InstanceType<Provider['Interaction']>

/** Somebody at one of the pages. */
export interface InteractionSession {
  readonly provider: Provider
  readonly interaction: Interaction
  readonly client: StoredClient
  /** Where the application gets its answer. */
  readonly redirectUri: string
  /** The page, or what is behind one of its buttons. */
  readonly url: (action?: string) => string
  readonly formTarget: (action: string) => FormTarget
}

interface Dependencies {
  readonly provider: () => Promise<Provider>
  readonly store: Store
  readonly secrets: LoginSecrets
  readonly publicUrl: () => string
}

/** Finds out where somebody is. */
export interface InteractionSessions {
  /** By the address they are at and a cookie. @throws {Stopped} when that is over. */
  readonly getFromRequest: (ctx: Context, uid: string) => Promise<InteractionSession>
  /** By a name that is known to be theirs. @throws {Stopped} */
  readonly getByUid: (uid: string) => Promise<InteractionSession>
}

/** Finds visits in what the authorization server remembers. */
export function createInteractionSessions({ provider, store, secrets, publicUrl }: Dependencies): InteractionSessions {
  const visitOf = async (interaction: Interaction, provider: Provider): Promise<InteractionSession> => {
    const { uid, params } = interaction
    const client = await store.collection('clients').get({ clientId: String(params.client_id) })
    // Removed in the meantime.
    if (!client) throw expiredInteraction()
    const address = (action?: string) => toOAuthPath(publicUrl(), ['interactions', uid, ...(action ? [action] : [])])
    return {
      provider,
      interaction,
      client,
      redirectUri: String(params.redirect_uri),
      url: address,
      formTarget: (action) => ({
        action: address(action),
        csrfToken: secrets.createCsrfToken(toCsrfPurpose(uid, action))
      })
    }
  }
  return {
    getFromRequest: async (ctx, uid) => {
      const authority = await provider()
      const interaction = await authority.interactionDetails(ctx.req, ctx.res)
      if (interaction.uid !== uid) throw expiredInteraction()
      return visitOf(interaction, authority)
    },
    getByUid: async (uid) => {
      const authority = await provider()
      const interaction = await authority.Interaction.find(uid)
      if (!interaction) throw expiredInteraction()
      return visitOf(interaction, authority)
    }
  }
}

/** What the proof in a form is good for: one button of one visit. */
export function toCsrfPurpose(uid: string, action: string): string {
  return `${uid} ${action}`
}

/** A place below `/oauth/`, for links: as browsers reach it, which can be through a proxy that adds to the path. */
export function toOAuthPath(publicUrl: string, places: readonly string[]): string {
  return `${new URL(toIssuer(publicUrl)).pathname}oauth/${places.map(encodeURIComponent).join('/')}`
}
