import { toUserIdentity } from '../../../access/permissions/findIdentity.ts'
import { HttpError } from '../../../lib/errors.ts'
import type { StoredOrganization, StoredUser } from '../../../storage/resources/organization.ts'
import type { Store } from '../../../storage/store.ts'

/**
 * Asserts that at least one person can still manage the organization after a change, unless nobody could before it.
 * Clients do not count, because their secrets may be unavailable. `before` contains the changed people.
 * @throws {HttpError} 409
 */
export async function assertOwnerRemains(
  store: Store,
  organization: StoredOrganization,
  before: readonly StoredUser[]
): Promise<void> {
  const isOwner = (user: StoredUser) => {
    return !user.isDisabled && toUserIdentity(user, organization).access.allows('organization:write:settings')
  }
  if (!before.some(isOwner)) return
  const { items } = await store
    .collection('users')
    .list({ where: { _organization: organization.key, isDisabled: false } })
  if (items.some(isOwner)) return
  throw new HttpError(
    409,
    'after this change no one could manage the organization: give another person the permission organization:write:settings first'
  )
}
