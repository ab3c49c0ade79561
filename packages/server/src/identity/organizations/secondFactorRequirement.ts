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

/** The authentication method of a sign-in with a password. */
export const PASSWORD = 'pwd'

/** How a person signed in, as stored with a session, code or refresh token. */
interface StoredSignIn {
  /** The authentication methods (RFC 8176). Absent after the identity provider alone. */
  readonly amr: readonly string[] | undefined
  /** The `uid` of the session in the browser. */
  readonly sessionUid: string | undefined
}

/**
 * Whether an earlier sign-in lacks the second factor that the organization now requires. Sign-ins through the identity
 * provider were checked when they happened; a password of the same person was not.
 */
export async function lacksRequiredFactor(
  store: Store,
  user: StoredUser,
  { amr = [], sessionUid }: StoredSignIn
): Promise<boolean> {
  if (amr.includes(MULTI_FACTOR) || !(await isSecondFactorRequired(store, user))) return false
  if (amr.includes(PASSWORD) || sessionUid === undefined) return true
  return (await store.collection('upstreamSessions').get({ sessionUid })) === undefined
}
