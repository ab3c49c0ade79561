import { forbidden } from '../../lib/errors.ts'
import type { TokenCaller } from './caller.ts'

/**
 * Asserts that a caller is an owner of the organization, or is not limited by roles. `action` names the action in the
 * message, `rule` the reason.
 * @throws {HttpError} 403
 */
export function assertOwner(
  { access }: Pick<TokenCaller, 'access'>,
  action = 'this operation',
  rule: OwnerRule | undefined = undefined
): void {
  if (access.isOwner) return
  throw forbidden(`${action} requires the role organization_owner${rule === undefined ? '' : `: ${ownerRules[rule]}`}`)
}

/** The rules by which only owners can do what gives or ends the rights of an owner. */
const ownerRules = {
  grant: 'only owners can grant and remove it',
  account: 'only owners can change an account with the rights of an owner',
  everything: 'this includes the rights of owners'
} as const

type OwnerRule = keyof typeof ownerRules
