import type { InteractionResults } from 'oidc-provider'
import { given } from '../../given.ts'
import { inUtc } from '../../inUtc.ts'
import type { StoredUser } from '../../store/resources.ts'
import type { Store } from '../../store/store.ts'
import type { Login } from '../isVoid.ts'
import { addressOf, type Visit } from './visit.ts'

/** Tells the authorization server what came of a visit; answers where it goes on. */
export async function conclude({ interaction }: Visit, result: InteractionResults): Promise<string> {
  interaction.result = result.error === undefined ? { ...interaction.lastSubmission, ...result } : result
  await interaction.persist()
  return interaction.returnTo
}

/** Somebody has signed in: the visit goes on as theirs unless they are signed out in the meantime, and when it was is kept. */
export async function concludeSignIn(
  visit: Visit,
  { _id, userId, signedOutAt }: StoredUser,
  { store, now, method }: { readonly store: Store; readonly now: () => number; readonly method?: string }
): Promise<string> {
  const { session } = visit.interaction
  const existing = session && (await visit.provider.Session.findByUid(session.uid))
  if (existing?.accountId !== userId) await endSession(visit)
  await store.collection('users').update(_id, { lastLoginAt: inUtc(now()) })
  // A browser that is closed forgets who was there.
  const login: Login = { accountId: userId, ...given({ signedOutAt }) }
  return conclude(visit, { login: { ...login, remember: false, ...(method ? { amr: [method] } : {}) } })
}

/** Ends a visit and whose session it was in; answers where the application's request begins anew. */
export async function startAnew(visit: Visit, publicUrl: string): Promise<string> {
  const { interaction } = visit
  await endSession(visit)
  await interaction.destroy()
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(interaction.params)) {
    for (const one of [value].flat()) if (typeof one === 'string') query.append(name, one)
  }
  return `${addressOf(publicUrl, ['authorize'])}?${query}`
}

/** Ends the session that a visit began in: the browser is nobody's until somebody signs in. */
export async function endSession({ provider, interaction }: Visit): Promise<void> {
  const { session } = interaction
  if (!session) return
  await (await provider.Session.findByUid(session.uid))?.destroy()
  interaction.session = undefined
}
