import type { Context } from 'koa'
import type { EditRunner } from '../../access/audit/edit.ts'
import { toUserIdentity } from '../../access/permissions/findIdentity.ts'
import { networkOf } from '../../lib/network.ts'
import type { StoredUser } from '../../storage/resources/organization.ts'
import type { Store } from '../../storage/store.ts'
import { hashPassword, setPassword } from '../people/setPassword.ts'
import { validatePassword } from '../people/validatePassword.ts'
import { runDerivation } from '../secrets/runDerivation.ts'
import type { SecretHasher } from '../secrets/secretHash.ts'
import type { InteractionSession } from './interactionSession.ts'
import { digestPassword } from './loginTicket.ts'
import { expiredInteraction } from './pages/interactionError.ts'
import { renderNewPasswordPage } from './pages/newPasswordPage.ts'
import { showPage } from './pages/page.ts'

interface Dependencies {
  readonly store: Store
  readonly edit: EditRunner
  readonly hasher: SecretHasher
}

/** Shows the page that asks for a new password. */
export function showNewPassword(
  ctx: Context,
  { formTarget }: InteractionSession,
  shown: { readonly email: string; readonly ticket: string; readonly problems?: readonly string[] }
): void {
  showPage(ctx, renderNewPasswordPage({ ...shown, password: formTarget('password'), abort: formTarget('abort') }))
}

/** Returns why a new password is not acceptable; empty if it is. `network` is the network of the request. */
export async function validateReplacement(
  password: string,
  repeated: string,
  user: StoredUser,
  { hasher, network }: Pick<Dependencies, 'hasher'> & { readonly network: string }
): Promise<readonly string[]> {
  const [issue] = validatePassword(password, user)
  if (issue) return [`The new password ${issue}.`]
  if (password !== repeated) return ['The two passwords must match.']
  const { passwordVerifier } = user
  const isSame =
    passwordVerifier !== undefined &&
    (await runDerivation({ caller: network, work: () => hasher.verify(password, passwordVerifier) }))
  return isSame ? ['The new password must differ from the current one.'] : []
}

/** Replaces the password of the holder of a ticket. `address` is the network address of the request. */
export async function replacePassword(
  user: StoredUser,
  password: string,
  { store, edit, hasher, address }: Dependencies & { readonly address: string }
): Promise<StoredUser> {
  const organization = await store.collection('organizations').get({ key: user._organization })
  if (!organization) throw expiredInteraction()
  const prepared = await hashPassword(password, { hasher, caller: networkOf(address) })
  const caller = {
    ...toUserIdentity(user, organization),
    requiredPermission: 'project:read',
    source: 'api',
    address
  } as const
  return edit(caller, async (change) => {
    const current = await change.store.collection('users').get({ _id: user._id })
    if (!current || current.isDisabled || digestPassword(current) !== digestPassword(user)) throw expiredInteraction()
    return setPassword(change, current, prepared, { mustChange: false })
  })
}
