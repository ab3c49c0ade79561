import type { Edit } from '../../../access/audit/edit.ts'
import type { StoredUser } from '../../../storage/resources/organization.ts'
import { removeAllFactors } from '../../secondFactor/factors.ts'
import { addFormerSubject } from '../../upstream/formerSubjects.ts'
import type { ProvisionedMembers } from './provisionUser.ts'

/**
 * Returns a person whose link to the account at the identity provider agrees with the `externalId` that SCIM assigns.
 * The link, the second factors and all sessions end if that account may belong to another person:
 * - after a change of the `externalId` that was its subject, and with a first `externalId` that is not its subject: the
 *   account belongs to the new id, and the subject is a former one;
 * - for a person who was deleted and is created again: the subject can be linked by the address again, until another
 *   one is linked or named.
 */
export async function updateLink(
  change: Edit,
  user: StoredUser,
  { externalId }: Pick<ProvisionedMembers, 'externalId'>
): Promise<StoredUser> {
  const renamed = withFormerExternalId(user, externalId)
  const { identity, releasedIdentity, ...unlinked } = renamed
  const holder = identity ?? releasedIdentity
  const isHolder = (id: string | undefined) => id !== undefined && [holder?.subject, holder?.objectId].includes(id)
  const isReplaced = externalId !== undefined && (user.externalId === undefined || isHolder(user.externalId))
  const isContradicted = holder !== undefined && isReplaced && !isHolder(externalId)
  const isRestored = user.provisioning?.deletedAt !== undefined && !isHolder(externalId)
  if (!isContradicted && !isRestored) return renamed
  await removeAllFactors(change, user)
  const ended = { ...unlinked, signedOutAt: change.at }
  if (isContradicted) return addFormerSubject(ended, holder)
  return holder ? { ...ended, releasedIdentity: holder } : ended
}

/** Returns a person with the `externalId` that a change replaces or removes among the former ones. */
function withFormerExternalId(user: StoredUser, next: string | undefined): StoredUser {
  const { externalId, formerExternalIds = [] } = user
  if (externalId === undefined || externalId === next || formerExternalIds.includes(externalId)) return user
  return { ...user, formerExternalIds: [...formerExternalIds, externalId] }
}
