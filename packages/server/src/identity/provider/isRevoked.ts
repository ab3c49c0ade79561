import type { StoredAuthorization, StoredClient } from '../../storage/resources.ts'
import type { Store } from '../../storage/store.ts'

/** A sign-in that a visit has come to; the members beside those of `oidc-provider` say what it was a sign-in to. */
export interface LoginResult {
  readonly accountId: string
  /** When the person had last been signed out, as they were when their secret was looked at. */
  readonly signedOutAt?: string
}

/** Whether it belongs to somebody, or to a client, who is gone, disabled, or was signed out since. */
export async function isRevoked(authorization: StoredAuthorization, store: Store): Promise<boolean> {
  return (await isRevokedForPerson(authorization, store)) || (await isRevokedForClient(authorization, store))
}

/** The moment before which nothing that a client was given holds. */
export function clientValidSince({ createdAt, secretChangedAt = '', signedOutAt = '' }: StoredClient): string {
  const [latest = createdAt] = [createdAt, secretChangedAt, signedOutAt].sort().reverse()
  return latest
}

async function isRevokedForPerson({ payload, createdAt }: StoredAuthorization, store: Store): Promise<boolean> {
  // What `oidc-provider` keeps under these names is of its making and of `conclude`.
  const { accountId, session, result, lastSubmission } = payload as Kept
  const login = result?.login ?? lastSubmission?.login
  const named = accountId ?? login?.accountId ?? session?.accountId
  if (named === undefined) return false
  const user = await store.collection('users').get({ userId: named })
  if (!user || user.isDisabled) return true
  if (login) return login.signedOutAt !== user.signedOutAt
  return user.signedOutAt !== undefined && createdAt < user.signedOutAt
}

async function isRevokedForClient({ payload, createdAt }: StoredAuthorization, store: Store): Promise<boolean> {
  const { clientId, params } = payload as Kept
  const named = clientId ?? params?.client_id
  if (named === undefined) return false
  const client = await store.collection('clients').get({ clientId: named })
  return !client || createdAt < clientValidSince(client)
}

/** The members of what is kept that name somebody. */
interface Kept {
  readonly accountId?: string
  readonly clientId?: string
  readonly session?: { readonly accountId?: string }
  readonly params?: { readonly client_id?: string }
  readonly result?: { readonly login?: LoginResult }
  readonly lastSubmission?: { readonly login?: LoginResult }
}
