import type { MakeEdit } from '../audit/edit.ts'
import type { TokenCaller } from '../caller.ts'
import { forbidden, invalid, preconditionFailed } from '../errors.ts'
import type { Attempts } from '../secrets/attempts.ts'
import { verifies } from '../secrets/verifier.ts'
import type { StoredUser } from '../store/resources.ts'
import type { Store } from '../store/store.ts'
import { demandUsable } from './choosePassword.ts'
import { preparePassword, setPassword } from './setPassword.ts'

interface Dependencies {
  readonly store: Store
  readonly edit: MakeEdit
  readonly attempts: Attempts
}

/** Replaces the caller's own password by one of their choice. @throws {ApiError} 400, 403, 412 or 429 */
export async function changePassword(
  { store, edit, attempts }: Dependencies,
  caller: TokenCaller,
  { currentPassword, newPassword }: { readonly currentPassword: string; readonly newPassword: string }
): Promise<void> {
  const { _id, passwordVerifier, ...owner } = await personWithPassword(store, caller)
  demandUsable('newPassword', newPassword, owner)
  if (newPassword === currentPassword) throw invalid('newPassword should be another than the current one')
  const names = [owner.userId]
  await attempts.demandLeft(names)
  // Counted before it is tried: of many at once, no more are tried than one after the other.
  await attempts.failed(names)
  if (!(await verifies(currentPassword, passwordVerifier))) throw forbidden('the current password is another')
  await attempts.succeeded(names)
  const password = await preparePassword(newPassword)
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
