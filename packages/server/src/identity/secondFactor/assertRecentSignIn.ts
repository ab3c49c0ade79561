import type { SignIn, TokenCaller } from '../../access/permissions/caller.ts'
import { forbidden } from '../../lib/errors.ts'
import { MINUTE } from '../../lib/time.ts'
import type { StoredUser } from '../../storage/resources/organization.ts'
import type { Store } from '../../storage/store.ts'
import { MULTI_FACTOR } from '../organizations/secondFactorRequirement.ts'
import { hasSecondFactor } from './factors.ts'

/** How long ago the caller may have signed in. */
export const RECENT_MS = 10 * MINUTE

/**
 * Asserts that the caller has just signed in, with the second factor if there is one: a stolen token must not be enough
 * to take over the account. Returns the sign-in.
 * @throws {HttpError} 403
 */
export async function assertRecentSignIn(
  { store, now }: { readonly store: Store; readonly now: () => number },
  { signIn }: Pick<TokenCaller, 'signIn'>,
  user: StoredUser
): Promise<SignIn> {
  if (!signIn || signIn.at + RECENT_MS < now()) {
    throw forbidden(
      'this requires a sign-in within the last ten minutes; send prompt=login or max_age=0 in the authorization request'
    )
  }
  if (signIn.methods.includes(MULTI_FACTOR) || !(await hasSecondFactor(store, user))) return signIn
  throw forbidden('this requires a sign-in with the second factor; this token was issued without it')
}
