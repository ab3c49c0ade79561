import { createHmac } from 'node:crypto'
import type { Edit } from '../../access/audit/edit.ts'
import type { IdGenerator } from '../../lib/idGenerator.ts'
import type { Store } from '../../storage/store.ts'

/** Returns how audit entries name a user of an application; `undefined` before the first erasure. */
export async function findUserHash(store: Store, organization: string, user_id: string): Promise<string | undefined> {
  const found = await store.collection('organizations').get({ key: organization })
  return found?.userHashKey === undefined ? undefined : hashUserId(user_id, found.userHashKey)
}

/**
 * Returns how the audit entry of an edit names a user: a hash of the id with a key of the organization, which the first
 * use creates. Without the key, ids cannot be guessed from hashes.
 */
export async function ensureUserHash(
  { store, caller }: Pick<Edit, 'store' | 'caller'>,
  ids: Pick<IdGenerator, 'secret'>,
  user_id: string
): Promise<string> {
  const organizations = store.collection('organizations')
  const organization = await organizations.get({ key: caller.organization })
  if (!organization) throw new Error(`organization "${caller.organization}" does not exist`)
  const userHashKey = organization.userHashKey ?? ids.secret()
  if (organization.userHashKey === undefined) await organizations.update(organization._id, { userHashKey })
  return hashUserId(user_id, userHashKey)
}

function hashUserId(user_id: string, key: string): string {
  return `hmac-sha256:${createHmac('sha256', key).update(user_id).digest('hex')}`
}
