import { sanitizeLine } from '@burgee/kit/text'
import type { Context } from 'koa'
import type { Provider } from 'oidc-provider'
import type { StoredClient } from '../../storage/resources/organization.ts'
import type { Store } from '../../storage/store.ts'
import { paths } from '../oauth/paths.ts'
import type { RequestParameters } from '../oauth/readRequestParameters.ts'
import { toPublicPath } from '../oauth/toIssuer.ts'
import type { LoginSecrets } from './loginSecrets.ts'
import type { FormTarget } from './pages/form.ts'
import { expiredInteraction } from './pages/interactionError.ts'

/** The prompt of an interaction: login or consent. */
export type Interaction = InstanceType<Provider['Interaction']>

/** A request to a login or consent page. */
export interface InteractionSession {
  readonly provider: Provider
  readonly interaction: Interaction
  readonly client: StoredClient
  /** The redirect URI of the application. Absent if it signs in by a device code. */
  readonly redirectUri: string | undefined
  /** Returns the path of an action; without one, of the page. */
  readonly url: (action?: string) => string
  readonly formTarget: (action: string) => FormTarget
}

/** Handles a form of a login or consent page. */
export type FormAction = (ctx: Context, session: InteractionSession, form: RequestParameters) => Promise<void>

interface Dependencies {
  readonly provider: () => Promise<Provider>
  readonly store: Store
  readonly secrets: LoginSecrets
  readonly publicUrl: () => string
}

/** Finds the interaction of a request. */
export interface InteractionSessions {
  /** By path and cookie. @throws {InteractionError} if the interaction has ended. */
  readonly getFromRequest: (ctx: Context, uid: string) => Promise<InteractionSession>
  /** By an interaction id from a trusted source. @throws {InteractionError} */
  readonly getByUid: (uid: string) => Promise<InteractionSession>
}

/** Reads interactions from the storage of the authorization server. */
export function createInteractionSessions({ provider, store, secrets, publicUrl }: Dependencies): InteractionSessions {
  const toInteractionSession = async (interaction: Interaction, provider: Provider): Promise<InteractionSession> => {
    const { uid, params } = interaction
    const client = await store.collection('clients').get({ clientId: String(params.client_id) })
    // Deleted meanwhile.
    if (!client) throw expiredInteraction()
    const page = toPublicPath(publicUrl(), `${paths.signIn}/${encodeURIComponent(uid)}`)
    const address = (action?: string) => (action ? `${page}/${encodeURIComponent(action)}` : page)
    return {
      provider,
      interaction,
      client,
      redirectUri: interaction.deviceCode === undefined ? String(params.redirect_uri) : undefined,
      url: address,
      formTarget: (action) => ({
        action: address(action),
        csrfToken: secrets.createCsrfToken(toCsrfPurpose(uid, action))
      })
    }
  }
  return {
    getFromRequest: async (ctx, uid) => {
      const oidcProvider = await provider()
      const interaction = await oidcProvider.interactionDetails(ctx.req, ctx.res)
      if (interaction.uid !== uid) throw expiredInteraction()
      return toInteractionSession(interaction, oidcProvider)
    },
    getByUid: async (uid) => {
      const oidcProvider = await provider()
      const interaction = await oidcProvider.Interaction.find(uid)
      if (!interaction) throw expiredInteraction()
      return toInteractionSession(interaction, oidcProvider)
    }
  }
}

/** The purpose of a form token: one action of one interaction. */
export function toCsrfPurpose(uid: string, action: string): string {
  return `${uid} ${action}`
}

/** The display name of an application; never empty. */
export function toClientName({ name, clientId }: Pick<StoredClient, 'name' | 'clientId'>): string {
  return sanitizeLine(name) || clientId
}
