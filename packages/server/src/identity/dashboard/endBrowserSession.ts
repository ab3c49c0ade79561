import type { IdGenerator } from '../../lib/idGenerator.ts'
import { removeAll } from '../../storage/removeAll.ts'
import { DASHBOARD_SESSION, type StoredAuthorization } from '../../storage/resources/organization.ts'
import type { Store } from '../../storage/store.ts'
import { digestBearer } from '../oauth/digestBearer.ts'
import { addRevocation } from '../revocation/revocations.ts'

interface Dependencies {
  readonly ids: IdGenerator
  readonly now: () => number
}

/**
 * Ends a login session, or a session of the dashboard, in a transaction: both sessions of the browser, and the grants
 * that its dashboard sessions came from. Otherwise the remaining session would sign the browser in again.
 */
export async function endBrowserSession(
  transaction: Store,
  { _id, uid: own, payload }: StoredAuthorization,
  dependencies: Dependencies
): Promise<void> {
  const authorizations = transaction.collection('authorizations')
  const uid = own ?? sessionUidOf(payload)
  const { items } = await authorizations.list({ where: { model: DASHBOARD_SESSION } })
  const sessions = items.filter((item) => item._id === _id || (uid !== undefined && sessionUidOf(item.payload) === uid))
  for (const session of sessions) await authorizations.remove(session._id)
  for (const grantId of new Set(sessions.flatMap((session) => session.grantId ?? []))) {
    await removeAll(transaction, 'authorizations', { grantId })
    await removeAll(transaction, 'authorizations', { digest: digestBearer('Grant', grantId) })
    await addRevocation(transaction, { grant: grantId }, dependencies)
  }
  if (uid === undefined) return
  await removeAll(transaction, 'authorizations', { model: 'Session', uid })
  // A request in progress stores its session again.
  await addRevocation(transaction, { session: uid }, dependencies)
}

/** Returns the `uid` of the login session in which a session of the dashboard started. */
export function sessionUidOf(payload: StoredAuthorization['payload']): string | undefined {
  return typeof payload.sessionUid === 'string' ? payload.sessionUid : undefined
}
