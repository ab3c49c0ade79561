import type { EditRunner } from '../../access/audit/edit.ts'
import type { TokenCaller } from '../../access/permissions/caller.ts'
import { badRequest, forbidden, preconditionFailed } from '../../lib/errors.ts'
import type { StoredUser } from '../../storage/resources/organization.ts'
import type { Store } from '../../storage/store.ts'
import type { LimitedVerification } from '../secrets/limitedVerification.ts'
import type { SecretHasher } from '../secrets/secretHash.ts'
import { assertPasswordAllowed } from './prepareAssignedPassword.ts'
import { hashPassword, setPassword } from './setPassword.ts'

interface Dependencies {
  readonly store: Store
  readonly edit: EditRunner
  readonly hasher: SecretHasher
  readonly verifyLimited: LimitedVerification
}

/** Changes the caller's own password. @throws {HttpError} 400, 403, 412 or 429 */
export async function changePassword(
  { store, edit, hasher, verifyLimited }: Dependencies,
  caller: TokenCaller,
  { currentPassword, newPassword }: { readonly currentPassword: string; readonly newPassword: string }
): Promise<void> {
  const { _id, passwordVerifier, ...owner } = await getUserWithPassword(store, caller)
  assertPasswordAllowed('newPassword', newPassword, owner)
  if (newPassword === currentPassword) throw badRequest('newPassword must differ from the current password')
  const isCorrect = await verifyLimited({
    name: owner.userId,
    caller: caller.id,
    verify: () => hasher.verify(currentPassword, passwordVerifier)
  })
  if (!isCorrect) throw forbidden('the current password is wrong')
  const password = await hashPassword(newPassword, { hasher, caller: caller.id })
  await edit(caller, async (change) => {
    const user = await getUserWithPassword(change.store, caller)
    if (user.passwordVerifier !== passwordVerifier) throw forbidden('the current password was changed meanwhile')
    await setPassword(change, user, password, { mustChange: false })
  })
}

/** Returns the caller. @throws {HttpError} 412 if the caller is not a person acting directly, or has no password. */
async function getUserWithPassword(
  store: Store,
  { id, actor }: TokenCaller
): Promise<StoredUser & { readonly passwordVerifier: string }> {
  const user = actor === 'person' ? await store.collection('users').get({ userId: id }) : undefined
  if (!user)
    throw preconditionFailed(`only a person can change a password, and only their own; the caller is: ${actor}`)
  const { passwordVerifier } = user
  if (passwordVerifier === undefined) {
    throw preconditionFailed('this account has no password: the person signs in through the identity provider')
  }
  return { ...user, passwordVerifier }
}
