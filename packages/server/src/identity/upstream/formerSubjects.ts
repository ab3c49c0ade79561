import type { StoredUser } from '../../storage/resources/organization.ts'
import type { UpstreamClaims } from './upstreamClaims.ts'

type Identity = NonNullable<StoredUser['identity']>

/**
 * Whether the account was that of this person at the identity provider, until it was given to another one. The account
 * is then never linked to them by the e-mail address again, only by an `externalId` that names them.
 */
export function isFormerSubject(
  { formerSubjects = [], formerExternalIds = [] }: StoredUser,
  { issuer, subject, objectId }: Pick<UpstreamClaims, 'issuer' | 'subject' | 'objectId'>
): boolean {
  const isOwn = (id: string | undefined) => id !== undefined && [subject, objectId].includes(id)
  return (
    formerExternalIds.some(isOwn) ||
    formerSubjects.some((former) => former.issuer === issuer && (former.subject === subject || isOwn(former.objectId)))
  )
}

/** Returns a person with a further former subject. */
export function addFormerSubject<User extends Pick<StoredUser, 'formerSubjects'>>(
  user: User,
  { issuer, subject, objectId }: Identity
): User {
  const former = { issuer, subject, ...(objectId === undefined ? {} : { objectId }) }
  return { ...user, formerSubjects: [...(user.formerSubjects ?? []), former] }
}
