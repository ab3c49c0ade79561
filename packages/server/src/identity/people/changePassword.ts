import type { EditRunner } from '../../access/audit/edit.ts'
import type { TokenCaller } from '../../access/permissions/caller.ts'
import { badRequest, forbidden, preconditionFailed } from '../../lib/errors.ts'
import type { StoredUser } from '../../storage/resources.ts'
import type { Store } from '../../storage/store.ts'
import type { FailedAttemptLimiter } from '../secrets/failedAttemptLimiter.ts'
import { verifySecret } from '../secrets/secretHash.ts'
import { assertPasswordAllowed } from './prepareAssignedPassword.ts'
import { hashPassword, setPassword } from './setPassword.ts'

interface Dependencies {
  readonly store: Store
  readonly edit: EditRunner
  readonly attemptLimiter: FailedAttemptLimiter
}

/** Replaces the caller's own password by one of their choice. @throws {ApiError} 400, 403, 412 or 429 */
export async function changePassword(
  { store, edit, attemptLimiter }: Dependencies,
  caller: TokenCaller,
  { currentPassword, newPassword }: { readonly currentPassword: string; readonly newPassword: string }
): Promise<void> {
  const { _id, passwordVerifier, ...owner } = await personWithPassword(store, caller)
  assertPasswordAllowed('newPassword', newPassword, owner)
  if (newPassword === currentPassword) throw badRequest('newPassword should be another than the current one')
  const names = [owner.userId]
  await attemptLimiter.assertAllowed(names)
  // Counted before it is tried: of many at once, no more are tried than one after the other.
  await attemptLimiter.recordFailure(names)
  if (!(await verifySecret(currentPassword, passwordVerifier))) throw forbidden('the current password is another')
  await attemptLimiter.reset(names)
  const password = await hashPassword(newPassword)
  await edit(caller, async (change) => {
    const user = await personWithPassword(change.store, caller)
    if (user.passwordVerifier !== passwordVerifier) throw forbidden('the current password is another by now')
    await setPassword(change, user, password, { mustChange: false })
  })
}

/** @throws {ApiError} 412 when the caller is no person by themselves, or signs in elsewhere. */
async function personWithPassword(
  store: Store,
  { id, actor }: TokenCaller
): Promise<StoredUser & { readonly passwordVerifier: string }> {
  const user = actor === 'person' ? await store.collection('users').get({ userId: id }) : undefined
  if (!user) throw preconditionFailed(`only people have a password, and change it themselves; the caller is: ${actor}`)
  const { passwordVerifier } = user
  if (passwordVerifier === undefined) {
    throw preconditionFailed('this person has no password: they sign in through the identity provider')
  }
  return { ...user, passwordVerifier }
}
