import type { Context } from 'koa'
import type { Provider } from 'oidc-provider'
import type { StoredClient } from '../../store/resources.ts'
import type { Store } from '../../store/store.ts'
import { issuerOf } from '../issuer.ts'
import type { Target } from './form.ts'
import type { Secrets } from './secrets.ts'
import { expired } from './stopped.ts'

/** What the authorization server waits for somebody to do: to sign in, or to consent. */
export type Interaction = InstanceType<Provider['Interaction']>

/** Somebody at one of the pages. */
export interface Visit {
  readonly provider: Provider
  readonly interaction: Interaction
  readonly client: StoredClient
  /** Where the application gets its answer. */
  readonly redirectUri: string
  /** The page, or what is behind one of its buttons. */
  readonly address: (action?: string) => string
  readonly target: (action: string) => Target
}

interface Dependencies {
  readonly provider: () => Promise<Provider>
  readonly store: Store
  readonly secrets: Secrets
  readonly publicUrl: () => string
}

/** Finds out where somebody is. */
export interface Visits {
  /** By the address they are at and a cookie. @throws {Stopped} when that is over. */
  readonly at: (ctx: Context, uid: string) => Promise<Visit>
  /** By a name that is known to be theirs. @throws {Stopped} */
  readonly named: (uid: string) => Promise<Visit>
}

/** Finds visits in what the authorization server remembers. */
export function createVisits({ provider, store, secrets, publicUrl }: Dependencies): Visits {
  const visitOf = async (interaction: Interaction, provider: Provider): Promise<Visit> => {
    const { uid, params } = interaction
    const client = await store.collection('clients').get({ clientId: String(params.client_id) })
    // Removed in the meantime.
    if (!client) throw expired()
    const address = (action?: string) => addressOf(publicUrl(), ['interactions', uid, ...(action ? [action] : [])])
    return {
      provider,
      interaction,
      client,
      redirectUri: String(params.redirect_uri),
      address,
      target: (action) => ({ action: address(action), mark: secrets.mark(useOf(uid, action)) })
    }
  }
  return {
    at: async (ctx, uid) => {
      const authority = await provider()
      const interaction = await authority.interactionDetails(ctx.req, ctx.res)
      if (interaction.uid !== uid) throw expired()
      return visitOf(interaction, authority)
    },
    named: async (uid) => {
      const authority = await provider()
      const interaction = await authority.Interaction.find(uid)
      if (!interaction) throw expired()
      return visitOf(interaction, authority)
    }
  }
}

/** What the proof in a form is good for: one button of one visit. */
export function useOf(uid: string, action: string): string {
  return `${uid} ${action}`
}

/** A place below `/oauth/`, for links: as browsers reach it, which can be through a proxy that adds to the path. */
export function addressOf(publicUrl: string, places: readonly string[]): string {
  return `${new URL(issuerOf(publicUrl)).pathname}oauth/${places.map(encodeURIComponent).join('/')}`
}
