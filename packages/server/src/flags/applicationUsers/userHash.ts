import { createHmac } from 'node:crypto'
import type { Edit } from '../../access/audit/edit.ts'
import type { Store } from '../../storage/store.ts'

/** Returns how audit entries name a user of an application; `undefined` before the first erasure. */
export async function findUserHash(store: Store, organization: string, user_id: string): Promise<string | undefined> {
  const found = await store.collection('organizations').get({ key: organization })
  return found?.userHashKey === undefined ? undefined : hashUserId(user_id, found.userHashKey)
}

/**
 * Returns how the audit entry of an edit names a user: a hash of the id with a key of the organization, which the first
 * use creates. Without the key, ids cannot be guessed from hashes, so an entry may outlive the erasure of the user.
 */
export async function ensureUserHash(
  { store, caller, secret }: Pick<Edit, 'store' | 'caller' | 'secret'>,
  user_id: string
): Promise<string> {
  const organizations = store.collection('organizations')
  const organization = await organizations.get({ key: caller.organization })
  if (!organization) throw new Error(`organization "${caller.organization}" does not exist`)
  const userHashKey = organization.userHashKey ?? secret()
  if (organization.userHashKey === undefined) await organizations.update(organization._id, { userHashKey })
  return hashUserId(user_id, userHashKey)
}

/** Returns an override or a profile as audit entries show it: with a hash for the user id. */
export async function withUserHash<Holder extends { readonly svcUserId: string | null }>(
  change: Pick<Edit, 'store' | 'caller' | 'secret'>,
  holder: Holder
): Promise<Holder> {
  if (holder.svcUserId === null) return holder
  return { ...holder, svcUserId: await ensureUserHash(change, holder.svcUserId) }
}

function hashUserId(user_id: string, key: string): string {
  return `hmac-sha256:${createHmac('sha256', key).update(user_id).digest('hex')}`
}
