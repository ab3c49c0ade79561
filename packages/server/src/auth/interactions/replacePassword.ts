import { createHash } from 'node:crypto'
import { identityOfUser } from '../../access/identify.ts'
import type { MakeEdit } from '../../audit/edit.ts'
import { mistakesOfPassword } from '../../people/passwordPolicy.ts'
import { preparePassword, setPassword } from '../../people/setPassword.ts'
import { verifies } from '../../secrets/verifier.ts'
import type { StoredUser } from '../../store/resources.ts'
import type { Store } from '../../store/store.ts'
import type { Secrets } from './secrets.ts'
import { expired } from './stopped.ts'

interface Dependencies {
  readonly store: Store
  readonly edit: MakeEdit
  readonly secrets: Secrets
}

/** What proves for ten minutes that somebody gave, on this visit, the password which they are to replace. */
export function ticketFor(user: StoredUser, uid: string, secrets: Secrets): Promise<string> {
  return secrets.seal(PURPOSE, { uid, user: user._id, password: digestOf(user) }, 600)
}

const PURPOSE = 'ticket'

/** Whose ticket it is. @throws {Stopped} when it is not good, or the password was replaced since. */
export async function holderOf(ticket: string, uid: string, { store, secrets }: Dependencies): Promise<StoredUser> {
  const told = await secrets.open(PURPOSE, ticket)
  const user = told?.uid === uid ? await store.collection('users').get({ _id: String(told.user) }) : undefined
  if (!user || user.isDisabled || digestOf(user) !== told?.password) throw expired()
  return user
}

/** Why a new password cannot be taken; nothing when it can. */
export async function mistakesOf(password: string, repeated: string, user: StoredUser): Promise<readonly string[]> {
  const [mistake] = mistakesOfPassword(password, user)
  if (mistake) return [`The new password ${mistake}.`]
  if (password !== repeated) return ['The two passwords should be the same.']
  const isSame = user.passwordVerifier !== undefined && (await verifies(password, user.passwordVerifier))
  return isSame ? ['The new password should be another one than before.'] : []
}

/** Replaces the password of somebody who holds a ticket. */
export async function replacePassword(
  user: StoredUser,
  password: string,
  { store, edit }: Dependencies
): Promise<StoredUser> {
  const organization = await store.collection('organizations').get({ key: user._organization })
  if (!organization) throw expired()
  const prepared = await preparePassword(password)
  const caller = { ...identityOfUser(user, organization), needs: 'project:read', source: 'api' } as const
  return edit(caller, async (change) => {
    const current = await change.store.collection('users').get({ _id: user._id })
    if (!current || current.isDisabled || digestOf(current) !== digestOf(user)) throw expired()
    return setPassword(change, current, prepared, { mustChange: false })
  })
}

/** Tells one password of somebody from the next. */
function digestOf({ passwordVerifier = '' }: StoredUser): string {
  return createHash('sha256').update(passwordVerifier).digest('base64url')
}
