import type { IdGenerator } from '../../lib/idGenerator.ts'
import { MINUTE } from '../../lib/time.ts'
import { newRecordFields } from '../../storage/newRecordFields.ts'
import type { Store } from '../../storage/store.ts'

interface Dependencies {
  readonly store: Store
  readonly ids: IdGenerator
  readonly now: () => number
}

/** The purpose of a challenge. */
export type ChallengePurpose = 'authenticatorApp' | 'addPasskey' | 'signIn'

/** The lifetime of a challenge. */
const LIFETIME_MS = 10 * MINUTE

/** Stores a challenge of a person or sign-in, which replaces an earlier one for the same purpose. */
export async function putChallenge(
  { store, ids, now }: Dependencies,
  purpose: ChallengePurpose,
  holder: string,
  challengeSecret: string
): Promise<void> {
  const subject = `${purpose} ${holder}`
  const fields = newRecordFields(now(), ids)
  await store.transaction(async (transaction) => {
    const challenges = transaction.collection('challenges')
    const earlier = await challenges.get({ subject })
    if (earlier) await challenges.remove(earlier._id)
    await challenges.insert({ ...fields, subject, challengeSecret, expiresAt: now() + LIFETIME_MS })
  })
}

/** Returns a challenge without using it; `undefined` if there is none or it has expired. */
export async function findChallenge(
  { store, now }: Omit<Dependencies, 'ids'>,
  purpose: ChallengePurpose,
  holder: string
): Promise<string | undefined> {
  const found = await store.collection('challenges').get({ subject: `${purpose} ${holder}` })
  return found && found.expiresAt > now() ? found.challengeSecret : undefined
}

/** Returns a challenge and removes it, so that it is used once. */
export function takeChallenge(
  { store, now }: Omit<Dependencies, 'ids'>,
  purpose: ChallengePurpose,
  holder: string
): Promise<string | undefined> {
  return store.transaction(async (transaction) => {
    const challenges = transaction.collection('challenges')
    const found = await challenges.get({ subject: `${purpose} ${holder}` })
    if (!found) return undefined
    await challenges.remove(found._id)
    return found.expiresAt > now() ? found.challengeSecret : undefined
  })
}

/** Deletes the challenges of a person. */
export async function removeChallenges(store: Store, holder: string): Promise<void> {
  const challenges = store.collection('challenges')
  for (const purpose of ['authenticatorApp', 'addPasskey'] satisfies ChallengePurpose[]) {
    const found = await challenges.get({ subject: `${purpose} ${holder}` })
    if (found) await challenges.remove(found._id)
  }
}
