import { serverCaller } from '../../access/serverCaller.ts'
import { created, modified } from '../../audit/changes.ts'
import type { Edit, MakeEdit } from '../../audit/edit.ts'
import type { StoredUser } from '../../store/resources.ts'
import { Stopped } from './stopped.ts'
import type { Told } from './told.ts'

/**
 * The person whom an identity provider tells of, with the name and groups that it tells. Somebody who comes for the first
 * time becomes a person: the one with their address, if the provider has verified it and they came from nowhere else yet.
 * That one loses the password, and what was signed in to by it: whoever added them could know it.
 * @throws {Stopped} when they cannot become one, or are disabled.
 */
export function admit(told: Told, { edit, organization }: Dependencies): Promise<StoredUser> {
  return edit(serverCaller(organization), async (change) => {
    const { items } = await change.store.collection('users').list({ where: { _organization: organization } })
    const known = items.find(({ identity }) => {
      return identity?.issuer === told.issuer && identity.subject === told.subject
    })
    const user = known ?? linked(told, items)
    if (user?.isDisabled)
      throw refused('You cannot sign in here any more. An administrator of Burgee can tell you why.')
    return user ? refresh(user, told, change) : add(told, organization, change)
  })
}

interface Dependencies {
  readonly edit: MakeEdit
  /** The key of the organization that people join. */
  readonly organization: string
}

/** Somebody who is known by their address and may from now on come from the provider. */
function linked(told: Told, people: readonly StoredUser[]): StoredUser | undefined {
  const user = people.find(({ email }) => email === told.email)
  if (!user || (told.isEmailVerified && !user.identity)) return user
  throw refused(
    user.identity
      ? `Somebody else signs in as ${user.email} already. Ask an administrator of Burgee.`
      : `There is a person ${user.email} already, and it is not verified that the address is yours. Ask an administrator of Burgee.`
  )
}

async function refresh(user: StoredUser, told: Told, { store, at, note }: Edit): Promise<StoredUser> {
  const { name = user.name, groups } = told
  const { passwordVerifier, ...rest } = user
  const isLinked = user.identity === undefined
  const kept = isLinked ? { ...rest, mustChangePassword: false, signedOutAt: at } : user
  const after = { ...kept, name, groups, identity: identityOf(told), updatedAt: at }
  // That the password is gone is told, and nothing of the password.
  const noted = isLinked && passwordVerifier !== undefined ? { password: 'removed' } : {}
  const changes = modified('User', user, after).map((change) => ({
    ...change,
    metadata: { ...change.metadata, ...noted }
  }))
  if (changes.length === 0) return user
  // A member that is undefined is taken away.
  const removed = isLinked ? { passwordVerifier: undefined } : {}
  await store.collection('users').update(user._id, { ...after, ...removed })
  note({}, changes)
  return after
}

async function add(told: Told, organization: string, { store, stamps, note }: Edit): Promise<StoredUser> {
  const { email, name = email, groups } = told
  if (email === undefined || name === undefined) {
    throw refused(
      'The identity provider did not tell your e-mail address, and it takes one. Ask an administrator of Burgee.'
    )
  }
  const stamped = stamps()
  const user = await store.collection('users').insert({
    ...stamped,
    userId: `burgee|${stamped._id}`,
    email,
    name,
    roles: [],
    groups,
    identity: identityOf(told),
    isDisabled: false,
    mustChangePassword: false,
    _organization: organization
  })
  note({}, [created('User', user)])
  return user
}

function identityOf({ issuer, subject }: Told): NonNullable<StoredUser['identity']> {
  return { issuer, subject }
}

function refused(message: string): Stopped {
  return new Stopped({ status: 403, title: 'You cannot sign in', message })
}
