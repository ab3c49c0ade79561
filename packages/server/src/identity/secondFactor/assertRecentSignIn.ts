import type { TokenCaller } from '../../access/permissions/caller.ts'
import { forbidden } from '../../lib/errors.ts'
import { MINUTE } from '../../lib/time.ts'
import type { StoredUser } from '../../storage/resources/organization.ts'
import type { Store } from '../../storage/store.ts'
import { MULTI_FACTOR } from '../organizations/secondFactorRequirement.ts'
import { hasSecondFactor } from './factors.ts'

/** The maximum age of the sign-in. */
const RECENT_MS = 10 * MINUTE

/**
 * Asserts that the caller has just signed in, with the second factor if there is one: a stolen token must not
 * suffice to take over the account. Sign-ins through the identity provider need no second factor of Burgee.
 * @throws {HttpError} 403
 */
export async function assertRecentSignIn(
  { store, now }: { readonly store: Store; readonly now: () => number },
  { signIn }: Pick<TokenCaller, 'signIn'>,
  user: StoredUser
): Promise<void> {
  if (!signIn || signIn.at + RECENT_MS < now()) {
    throw forbidden(
      'this requires a sign-in within the last ten minutes; send prompt=login or max_age=0 in the authorization request'
    )
  }
  if (user.identity || signIn.methods.includes(MULTI_FACTOR) || !(await hasSecondFactor(store, user))) return
  throw forbidden('this requires a sign-in with the second factor; this token was issued without it')
}
