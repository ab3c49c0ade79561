import type { StoredOrganization, StoredUser } from '../../storage/resources/organization.ts'
import type { Store } from '../../storage/store.ts'

/** Whether the organization of a person requires a second factor. */
export async function isSecondFactorRequired(
  store: Store,
  { _organization }: Pick<StoredUser, '_organization'>
): Promise<boolean> {
  const organization = await store.collection('organizations').get({ key: _organization })
  return organization !== undefined && getSecondFactorSetting(organization) === 'required'
}

/** Returns the setting of an organization, which older stores do not have. */
export function getSecondFactorSetting({ settings }: StoredOrganization): 'optional' | 'required' {
  return settings.secondFactor ?? 'optional'
}

/** The authentication method (RFC 8176) of a sign-in with more than one factor. */
export const MULTI_FACTOR = 'mfa'

/**
 * Whether a session or token of an earlier sign-in lacks the second factor that the organization now requires. People
 * who sign in through the identity provider are checked at their next sign-in.
 */
export async function lacksRequiredFactor(
  store: Store,
  user: StoredUser,
  amr: readonly string[] | undefined
): Promise<boolean> {
  if (user.identity || amr?.includes(MULTI_FACTOR)) return false
  return isSecondFactorRequired(store, user)
}
