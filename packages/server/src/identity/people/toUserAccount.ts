import type { UserAccount } from '@burgee/contract/schemas'
import { omitUndefined } from '@burgee/kit'
import { createdBy } from '../../access/createdBy.ts'
import { groupsOf } from '../../access/permissions/effectiveGrants.ts'
import type { StoredUser } from '../../storage/resources/organization.ts'
import { toRoleGrants } from '../organizations/resolveGrants.ts'

/** Converts a person to the API form, without the password hash and the subject at the identity provider. */
export function toUserAccount(user: StoredUser): UserAccount {
  const { _id, createdAt, updatedAt, userId, email, name, picture = '', roles, groups, provisionedGroups } = user
  const hasGroups = (provisionedGroups ?? groups) !== undefined
  const { isDisabled, mustChangePassword, passwordVerifier, lastLoginAt } = user
  return {
    _id,
    createdAt,
    updatedAt,
    user_id: userId,
    email,
    name,
    picture,
    roles: toRoleGrants(roles),
    ...omitUndefined({ groups: hasGroups ? [...groupsOf(user)] : undefined, lastLoginAt }),
    isDisabled,
    isProvisioned: user.provisioning !== undefined,
    mustChangePassword,
    hasPassword: passwordVerifier !== undefined,
    _createdBy: createdBy(user)
  }
}
