import type { IdGenerator } from '../../lib/idGenerator.ts'
import { MINUTE, SECOND, toIsoString } from '../../lib/time.ts'
import { newRecordFields } from '../../storage/newRecordFields.ts'
import { DASHBOARD_CLIENT_ID } from '../../storage/resources/organization.ts'
import type { Store } from '../../storage/store.ts'
import { digestBearer } from '../oauth/digestBearer.ts'
import { isRevoked } from '../provider/isRevoked.ts'
import { readGenerations } from '../revocation/generations.ts'
import type { DashboardSignIn } from './dashboardSessions.ts'
import { sessionPaths } from './sessionPaths.ts'

/** The lifetime of a link. */
const LINK_MS = 15 * MINUTE

const MODEL = 'SignInLink'

interface Dependencies {
  readonly store: Store
  readonly ids: IdGenerator
  readonly now: () => number
}

/** Creates a link that signs a person in once and opens the page at `to`. Returns its path. */
export async function createSignInLink(
  { store, ids, now }: Dependencies,
  { accountId, to }: { readonly accountId: string; readonly to: string }
): Promise<string> {
  const secret = ids.bytes(32).toString('base64url')
  const clientId = DASHBOARD_CLIENT_ID
  await store.collection('authorizations').insert({
    ...newRecordFields(now(), ids),
    model: MODEL,
    digest: digestBearer(MODEL, secret),
    payload: { accountId, clientId, to },
    expiresAt: now() + LINK_MS,
    generations: await readGenerations(store, { accountId, clientId })
  })
  return `${sessionPaths.link}${secret}`
}

/**
 * Uses a link up and stores the login time. Returns its sign-in and its page; undefined if it was used, has expired, or
 * never existed.
 */
export async function consumeSignInLink(
  { store, now }: Omit<Dependencies, 'ids'>,
  secret: string
): Promise<{ readonly signIn: DashboardSignIn; readonly to: string } | undefined> {
  const link = await store.transaction(async (transaction) => {
    const authorizations = transaction.collection('authorizations')
    const found = await authorizations.get({ digest: digestBearer(MODEL, secret) })
    if (found) await authorizations.remove(found._id)
    return found
  })
  if (!link || (link.expiresAt ?? 0) <= now() || (await isRevoked(link, store))) return undefined
  const { payload, generations = {} } = link
  const users = store.collection('users')
  const user = await users.get({ userId: String(payload.accountId) })
  if (user) await users.update(user._id, { lastLoginAt: toIsoString(now()) })
  const authTime = Math.floor(now() / SECOND)
  return { signIn: { accountId: String(payload.accountId), authTime, generations }, to: String(payload.to) }
}
