import { modifiedChanges } from '../../access/audit/changes.ts'
import type { Edit } from '../../access/audit/edit.ts'
import type { Logger } from '../../lib/logger.ts'
import type { StoredUser } from '../../storage/resources/organization.ts'
import { hasLostOwners } from '../organizations/assertOwnerRemains.ts'
import { getOrganization } from '../organizations/getOrganization.ts'
import { removeAllFactors } from '../secondFactor/factors.ts'
import { addFormerSubject } from './formerSubjects.ts'
import type { UpstreamClaims } from './upstreamClaims.ts'

/**
 * Updates name and groups of a person from the claims of the provider, and links the account if it is not linked yet.
 * Linking removes the password and the second factors, and revokes the logins of the account.
 */
export async function updateFromClaims(
  user: StoredUser,
  claims: UpstreamClaims,
  change: Edit,
  log: Logger
): Promise<StoredUser> {
  const { store, at, caller, recordChanges } = change
  const { groups } = claims
  // SCIM manages the name of a person that it provisioned.
  const name = user.provisioning ? user.name : (claims.name ?? user.name)
  const isLinked = user.identity === undefined
  const { passwordVerifier, releasedIdentity, ...rest } = user
  // Another person is linked: the earlier one cannot be linked by the address again.
  const isReplaced = releasedIdentity !== undefined && !isSameSubject(releasedIdentity, claims)
  const unlinked = isReplaced ? addFormerSubject(rest, releasedIdentity) : rest
  const kept = isLinked ? { ...unlinked, mustChangePassword: false, signedOutAt: at } : user
  const after = {
    ...kept,
    name,
    groups,
    identity: { ...user.identity, ...toStoredIdentity(claims, user.email) },
    updatedAt: at
  }
  if (isLinked) await removeAllFactors(change, user)
  // Record that the password was removed, without the password.
  const note = isLinked && passwordVerifier !== undefined ? { password: 'removed' } : {}
  const changes = modifiedChanges('User', user, after).map((change) => ({
    ...change,
    metadata: { ...change.metadata, ...note }
  }))
  if (changes.length === 0) return user
  // The store removes members that are undefined.
  const removed = isLinked ? { passwordVerifier: undefined, releasedIdentity: undefined } : {}
  await store.collection('users').update(user._id, { ...after, ...removed })
  recordChanges({}, changes)
  // The groups of the provider count in any case: a refusal would keep roles that it has removed.
  if (await hasLostOwners(store, await getOrganization(store, caller), { people: [user] })) {
    log.warn(
      { userId: user.userId },
      'no person can manage the organization any more: the identity provider removed the last one with the permission organization:write:settings'
    )
  }
  return after
}

function isSameSubject(one: NonNullable<StoredUser['identity']>, { issuer, subject }: UpstreamClaims): boolean {
  return one.issuer === issuer && one.subject === subject
}

/**
 * The account at the provider, as it is stored for a person with this address. Claims that are missing from
 * a response are absent, so that those of the login are kept.
 */
export function toStoredIdentity(
  { issuer, subject, objectId, email, isEmailVerified }: UpstreamClaims,
  address: string
): NonNullable<StoredUser['identity']> {
  return {
    issuer,
    subject,
    ...(objectId === undefined ? {} : { objectId }),
    ...(isEmailVerified && email === address ? { isEmailVerified } : {})
  }
}
