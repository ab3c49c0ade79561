import { toUserIdentity } from '../../access/permissions/findIdentity.ts'
import { HttpError } from '../../lib/errors.ts'
import type { StoredOrganization, StoredUser } from '../../storage/resources/organization.ts'
import type { Store } from '../../storage/store.ts'

/** What a change replaced: people, with the settings of the organization if these have changed. */
interface Before {
  readonly people: readonly StoredUser[]
  readonly organization?: StoredOrganization
}

/**
 * Asserts in the transaction of a change that at least one person can still manage the organization, unless nobody
 * could before it. Every change of roles, groups, mappings or statuses calls this, except for what an identity provider
 * reports at a sign-in.
 * @throws {HttpError} 409
 */
export async function assertOwnerRemains(
  store: Store,
  organization: StoredOrganization,
  before: Before
): Promise<void> {
  if (!(await hasLostOwners(store, organization, before))) return
  throw new HttpError(
    409,
    'after this change no one could manage the organization: give another person the permission organization:write:settings first'
  )
}

/**
 * Whether a change has left the organization without a person who can manage it. Clients do not count, because their
 * secrets may be unavailable. Leaving flat mode does not count: everyone can manage the organization there.
 */
export async function hasLostOwners(store: Store, organization: StoredOrganization, before: Before): Promise<boolean> {
  const earlier = before.organization ?? organization
  const hasLeftFlatMode = earlier.settings.permissions.mode === 'flat' && before.organization !== undefined
  if (hasLeftFlatMode || !before.people.some((user) => isOwner(user, earlier))) return false
  const { items } = await store
    .collection('users')
    .list({ where: { _organization: organization.key, isDisabled: false } })
  return !items.some((user) => isOwner(user, organization))
}

function isOwner(user: StoredUser, organization: StoredOrganization): boolean {
  return !user.isDisabled && toUserIdentity(user, organization).access.allows('organization:write:settings')
}
