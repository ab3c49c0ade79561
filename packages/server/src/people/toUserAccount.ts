import type { UserAccount } from '@burgee/contract'
import { authorOf } from '../author.ts'
import { given } from '../given.ts'
import { toGrants } from '../organizations/readGrants.ts'
import type { StoredUser } from '../store/resources.ts'

/** A person as answers have them: nothing of their password, nor of who they are elsewhere. */
export function toUserAccount(user: StoredUser): UserAccount {
  const { _id, createdAt, updatedAt, userId, email, name, picture = '', roles, groups } = user
  const { isDisabled, mustChangePassword, passwordVerifier, lastLoginAt } = user
  return {
    _id,
    createdAt,
    updatedAt,
    user_id: userId,
    email,
    name,
    picture,
    roles: toGrants(roles),
    ...given({ groups: groups && [...groups], lastLoginAt }),
    isDisabled,
    mustChangePassword,
    hasPassword: passwordVerifier !== undefined,
    _createdBy: authorOf(user)
  }
}
