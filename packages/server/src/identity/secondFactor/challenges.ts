import { omitUndefined } from '@burgee/kit'
import type { IdGenerator } from '../../lib/idGenerator.ts'
import { MINUTE } from '../../lib/time.ts'
import { newRecordFields } from '../../storage/newRecordFields.ts'
import { removeAll } from '../../storage/removeAll.ts'
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

/**
 * What a challenge belongs to. Other browsers and tokens of the same person neither see nor replace it: they may be in
 * the hands of another person.
 */
export interface ChallengeHolder {
  /** The id of the sign-in, session or access token in which it was created. */
  readonly origin: string
  /** The id of the person, if known. */
  readonly _user?: string
}

/** Stores a challenge, which replaces an earlier one of the same holder for the same purpose. */
export async function putChallenge(
  { store, ids, now }: Dependencies,
  purpose: ChallengePurpose,
  holder: ChallengeHolder,
  challengeSecret: string
): Promise<void> {
  const subject = toSubject(purpose, holder)
  const { _user } = holder
  const fields = newRecordFields(now(), ids)
  await store.transaction(async (transaction) => {
    const challenges = transaction.collection('challenges')
    const earlier = await challenges.get({ subject })
    if (earlier) await challenges.remove(earlier._id)
    await challenges.insert({
      ...fields,
      subject,
      ...omitUndefined({ _user }),
      challengeSecret,
      expiresAt: now() + LIFETIME_MS
    })
  })
}

/** Returns a challenge without using it; `undefined` if there is none or it has expired. */
export async function findChallenge(
  { store, now }: Omit<Dependencies, 'ids'>,
  purpose: ChallengePurpose,
  holder: ChallengeHolder
): Promise<string | undefined> {
  const found = await store.collection('challenges').get({ subject: toSubject(purpose, holder) })
  return found && found.expiresAt > now() ? found.challengeSecret : undefined
}

/** Returns a challenge and removes it, so that it is used once. */
export function takeChallenge(
  { store, now }: Omit<Dependencies, 'ids'>,
  purpose: ChallengePurpose,
  holder: ChallengeHolder
): Promise<string | undefined> {
  return store.transaction(async (transaction) => {
    const challenges = transaction.collection('challenges')
    const found = await challenges.get({ subject: toSubject(purpose, holder) })
    if (!found) return undefined
    await challenges.remove(found._id)
    return found.expiresAt > now() ? found.challengeSecret : undefined
  })
}

/** Deletes the challenges of a person. */
export function removeChallenges(store: Store, { _id: _user }: { readonly _id: string }): Promise<void> {
  return removeAll(store, 'challenges', { _user })
}

function toSubject(purpose: ChallengePurpose, { origin, _user }: ChallengeHolder): string {
  return [purpose, _user, origin].filter((part) => part !== undefined).join(' ')
}
