import type { TokenCaller } from './caller.ts'

/** Whether a caller can see network addresses and all members of accounts, as callers who manage accounts can. */
export function canSeePersonalData({ access }: Pick<TokenCaller, 'access'>): boolean {
  return access.allows('organization:write:settings')
}

/** The members of an account that only administrators and the user can see. */
export const personalMembers: ReadonlySet<string> = new Set([
  'email',
  'groups',
  'identity',
  'lastLoginAt',
  'signedOutAt',
  'mustChangePassword'
])
