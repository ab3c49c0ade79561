import type { TokenCaller } from './caller.ts'

/** Whether a caller may see network addresses, and all members of accounts: the permission to manage accounts. */
export function canSeePersonalData({ access }: Pick<TokenCaller, 'access'>): boolean {
  return access.allows('organization:write:settings')
}

/** The members of accounts that only administrators see, and people of their own. */
export const personalMembers: ReadonlySet<string> = new Set([
  'email',
  'groups',
  'identity',
  'lastLoginAt',
  'signedOutAt',
  'mustChangePassword'
])
