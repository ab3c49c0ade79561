import type { UserAccount } from '@burgee/contract/schemas'
import { omitUndefined } from '@burgee/kit'
import { createdBy } from '../../access/createdBy.ts'
import type { TokenCaller } from '../../access/permissions/caller.ts'
import { groupsOf } from '../../access/permissions/effectiveGrants.ts'
import { canSeePersonalData } from '../../access/permissions/personalData.ts'
import type { StoredUser } from '../../storage/resources/organization.ts'
import { toRoleGrants } from '../organizations/resolveGrants.ts'
import { hasProvenAddress } from './insertUser.ts'

/**
 * Converts a person to the API form, without the password hash and the subject at the identity provider. Most callers
 * get the name and roles only (`canSeeAccount`).
 */
export function toUserAccount(user: StoredUser, caller: AccountViewer): UserAccount {
  const { _id, createdAt, updatedAt, userId, email, name, picture = '', roles, groups, provisionedGroups } = user
  const hasGroups = (provisionedGroups ?? groups) !== undefined
  const { isDisabled, mustChangePassword, passwordVerifier, lastLoginAt } = user
  const hasPassword = passwordVerifier !== undefined
  const account = { email, isEmailVerified: hasProvenAddress(user), mustChangePassword, hasPassword }
  return {
    _id,
    createdAt,
    updatedAt,
    user_id: userId,
    name,
    picture,
    roles: toRoleGrants(roles),
    isDisabled,
    isProvisioned: user.provisioning !== undefined,
    ...(canSeeAccount(caller, user)
      ? { ...account, ...omitUndefined({ groups: hasGroups ? [...groupsOf(user)] : undefined, lastLoginAt }) }
      : {}),
    _createdBy: createdBy(user)
  }
}

/** Whether a caller can see all members of an account: administrators, and the user. */
export function canSeeAccount(caller: AccountViewer, { userId }: Pick<StoredUser, 'userId'>): boolean {
  return caller.id === userId || canSeePersonalData(caller)
}

type AccountViewer = Pick<TokenCaller, 'id' | 'access'>
