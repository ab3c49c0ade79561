import { omitUndefined } from '@burgee/kit'
import type { InteractionResults } from 'oidc-provider'
import { SECOND, toIsoString } from '../../lib/time.ts'
import type { StoredUser } from '../../storage/resources/organization.ts'
import type { Store } from '../../storage/store.ts'
import { paths } from '../oauth/paths.ts'
import { toPublicPath } from '../oauth/toIssuer.ts'
import type { LoginResult } from '../provider/isRevoked.ts'
import type { InteractionSession } from './interactionSession.ts'

/** The result of an interaction that the person cancelled. */
export const DENIED = { error: 'access_denied', error_description: 'the person denied access' } as const

/** Reports the result of an interaction to the authorization server. Returns the URL to continue at. */
export async function finishInteraction(
  { interaction }: InteractionSession,
  result: InteractionResults
): Promise<string> {
  interaction.result = result.error === undefined ? { ...interaction.lastSubmission, ...result } : result
  await interaction.persist()
  return interaction.returnTo
}

/**
 * Finishes a login: stores the login time, and continues the interaction as this person unless a sign-out happened
 * meanwhile.
 */
export async function finishLogin(
  interactionSession: InteractionSession,
  { _id, userId, signedOutAt }: StoredUser,
  { store, now, methods = [], upstreamSession, authenticatedAt = now() }: FinishOptions
): Promise<string> {
  const { session } = interactionSession.interaction
  const existing = session && (await interactionSession.provider.Session.findByUid(session.uid))
  if (existing?.accountId !== userId) await endSession(interactionSession)
  await store.collection('users').update(_id, { lastLoginAt: toIsoString(now()) })
  // A session cookie ends with the browser.
  const login: LoginResult = { accountId: userId, ...omitUndefined({ signedOutAt, upstreamSession }) }
  return finishInteraction(interactionSession, {
    login: {
      ...login,
      ts: Math.floor(authenticatedAt / SECOND),
      remember: false,
      ...(methods.length > 0 ? { amr: [...methods] } : {})
    }
  })
}

interface FinishOptions {
  readonly store: Store
  readonly now: () => number
  /** The authentication methods (RFC 8176), for example `pwd`. */
  readonly methods?: readonly string[]
  /** The id of the session at the identity provider, for a login through it. */
  readonly upstreamSession?: string | undefined
  /** When the person signed in, for a login through an identity provider. */
  readonly authenticatedAt?: number | undefined
}

/**
 * Signs the browser out, so that another person can sign in. Returns the URL that restarts the application's request.
 */
export async function restartAuthorization(interactionSession: InteractionSession, publicUrl: string): Promise<string> {
  const { interaction } = interactionSession
  await endSession(interactionSession)
  if (interaction.deviceCode !== undefined) {
    // The code of a device is known, so the request continues without the login.
    interaction.lastSubmission = undefined
    return finishInteraction(interactionSession, {})
  }
  await interaction.destroy()
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(interaction.params)) {
    for (const one of [value].flat()) if (typeof one === 'string') query.append(name, one)
  }
  return `${toPublicPath(publicUrl, paths.authorize)}?${query}`
}

/** Ends the session in which an interaction started, which signs the browser out. */
export async function endSession({ provider, interaction }: InteractionSession): Promise<void> {
  const { session } = interaction
  if (!session) return
  await (await provider.Session.findByUid(session.uid))?.destroy()
  interaction.session = undefined
}
