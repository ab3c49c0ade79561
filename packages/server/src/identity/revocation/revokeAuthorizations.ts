import type { StoredAuthorization } from '../../storage/resources/organization.ts'
import { type Store, StoreUnavailableError } from '../../storage/store.ts'

/** Whose authorization state: of a client, of a person, or of a person through a client. */
interface AuthorizationOwner {
  readonly clientId?: string
  readonly accountId?: string
}

/**
 * Deletes the authorization state of a deleted or changed client, or of a person: consents, codes, refresh tokens,
 * sessions (with the tokens of the identity provider), pending logins. `until` keeps state that was issued after that
 * time. Runs in a separate transaction, since this state is in a separate file (ADR 2). If the server stops before it,
 * the remaining state is already revoked and expires by itself.
 */
export async function revokeAuthorizations(
  store: Store,
  { clientId, accountId }: AuthorizationOwner,
  until?: string
): Promise<void> {
  const owner = { ...(clientId === undefined ? {} : { clientId }), ...(accountId === undefined ? {} : { accountId }) }
  try {
    await store.transaction((transaction) => removeAuthorizations(transaction, owner, until))
  } catch (error) {
    // The preceding change is durable, so the request succeeded. The store itself reports that it cannot write.
    if (!(error instanceof StoreUnavailableError)) throw error
  }
}

/** Deletes the authorization state of a client or person in a transaction. */
export async function removeAuthorizations(
  transaction: Store,
  owner: AuthorizationOwner,
  until?: string
): Promise<void> {
  const authorizations = transaction.collection('authorizations')
  for (const record of (await authorizations.list()).items) {
    const isOld = until === undefined || record.createdAt <= until
    if (isOld && belongsTo(record, owner)) await authorizations.remove(record._id)
  }
  if (owner.accountId === undefined || owner.clientId !== undefined) return
  const sessions = transaction.collection('upstreamSessions')
  for (const { _id, createdAt } of (await sessions.list({ where: { userId: owner.accountId } })).items) {
    if (until === undefined || createdAt <= until) await sessions.remove(_id)
  }
}

function belongsTo({ payload }: StoredAuthorization, { clientId, accountId }: AuthorizationOwner): boolean {
  const clients = [payload.clientId, Object(payload.params).client_id]
  const people = [payload.accountId, Object(payload.session).accountId]
  const isOfClient = clientId === undefined || clients.includes(clientId)
  return isOfClient && (accountId === undefined || people.includes(accountId))
}
