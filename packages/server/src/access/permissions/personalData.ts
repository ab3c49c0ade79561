import type { TokenCaller } from './caller.ts'

/** Whether a caller can see network addresses and all members of accounts, as callers who manage accounts can. */
export function canSeePersonalData({ access }: Pick<TokenCaller, 'access'>): boolean {
  return access.allows('organization:write:settings')
}

/** Whether a caller can see the networks and the expiry of a client. */
export function canSeeRestrictions(
  caller: Pick<TokenCaller, 'access' | 'clientId'>,
  { clientId }: { readonly clientId: string }
): boolean {
  return canSeePersonalData(caller) || caller.clientId === clientId
}

/** The members of resources that only administrators can see in the audit log, by the end of the type of a change. */
export const restrictedMembers: Readonly<Record<string, ReadonlySet<string>>> = {
  // Accounts show them to administrators and to the user.
  User: new Set(['email', 'groups', 'identity', 'lastLoginAt', 'signedOutAt', 'mustChangePassword']),
  ApiClient: new Set(['expiresAt', 'allowedNetworks']),
  SdkKey: new Set(['expiresAt', 'allowedNetworks', 'allowedOrigins'])
}
