import { createdChange, modifiedChanges } from '../../access/audit/changes.ts'
import type { Edit, EditRunner } from '../../access/audit/edit.ts'
import { serverCaller } from '../../access/permissions/serverCaller.ts'
import type { StoredUser } from '../../storage/resources/organization.ts'
import { loadFactors, removeFactors, toSecondFactors } from '../secondFactor/factors.ts'
import { InteractionError } from './pages/interactionError.ts'
import type { UpstreamClaims } from './upstreamClaims.ts'

/**
 * Returns the person with the identity, name and groups of these claims. At the first login, links the account with the
 * same e-mail address if the provider has verified the address and the account is not linked yet, else creates an
 * account. Linking removes the password and the second factors and revokes their logins, because the creator of the
 * account may have them.
 * @throws {InteractionError} if no account can be linked or created, or it is disabled.
 */
export function linkAccount(claims: UpstreamClaims, { edit, organization }: Dependencies): Promise<StoredUser> {
  return edit(serverCaller(organization), async (change) => {
    const { items } = await change.store.collection('users').list({ where: { _organization: organization } })
    const known = items.find(({ identity }) => {
      return identity?.issuer === claims.issuer && identity.subject === claims.subject
    })
    const user = known ?? findLinkableUser(claims, items)
    if (user?.isDisabled) throw refused('Your account is disabled. Contact an administrator of Burgee.')
    return user ? refresh(user, claims, change) : add(claims, organization, change)
  })
}

interface Dependencies {
  readonly edit: EditRunner
  /** The key of the organization that new people join. */
  readonly organization: string
}

/**
 * Returns the account with the e-mail address of the claims, if it can be linked to them.
 * @throws {InteractionError}
 */
function findLinkableUser(claims: UpstreamClaims, people: readonly StoredUser[]): StoredUser | undefined {
  const user = people.find(({ email }) => email === claims.email)
  if (!user || (claims.isEmailVerified && !user.identity)) return user
  throw refused(
    user.identity
      ? `Another person already signs in as ${user.email}. Contact an administrator of Burgee.`
      : `An account for ${user.email} already exists, and your identity provider has not verified your address. Contact an administrator of Burgee.`
  )
}

async function refresh(user: StoredUser, claims: UpstreamClaims, change: Edit): Promise<StoredUser> {
  const { store, at, recordChanges } = change
  const { name = user.name, groups } = claims
  const { passwordVerifier, ...rest } = user
  const isLinked = user.identity === undefined
  const kept = isLinked ? { ...rest, mustChangePassword: false, signedOutAt: at } : user
  const after = { ...kept, name, groups, identity: toStoredIdentity(claims), updatedAt: at }
  if (isLinked) await removeFactors(change, user, toSecondFactors(await loadFactors(store, user)))
  // Record that the password was removed, without the password.
  const note = isLinked && passwordVerifier !== undefined ? { password: 'removed' } : {}
  const changes = modifiedChanges('User', user, after).map((change) => ({
    ...change,
    metadata: { ...change.metadata, ...note }
  }))
  if (changes.length === 0) return user
  // The store removes members that are undefined.
  const removed = isLinked ? { passwordVerifier: undefined } : {}
  await store.collection('users').update(user._id, { ...after, ...removed })
  recordChanges({}, changes)
  return after
}

async function add(
  claims: UpstreamClaims,
  organization: string,
  { store, recordFields, recordChanges }: Edit
): Promise<StoredUser> {
  const { email, name = email, groups } = claims
  if (email === undefined || name === undefined) {
    throw refused(
      'The identity provider did not send your e-mail address, which is required. Contact an administrator of Burgee.'
    )
  }
  const fields = recordFields()
  const user = await store.collection('users').insert({
    ...fields,
    userId: `burgee|${fields._id}`,
    email,
    name,
    roles: [],
    groups,
    identity: toStoredIdentity(claims),
    isDisabled: false,
    mustChangePassword: false,
    _organization: organization
  })
  recordChanges({}, [createdChange('User', user)])
  return user
}

function toStoredIdentity({ issuer, subject }: UpstreamClaims): NonNullable<StoredUser['identity']> {
  return { issuer, subject }
}

function refused(message: string): InteractionError {
  return new InteractionError({ status: 403, title: 'You cannot sign in', message })
}
