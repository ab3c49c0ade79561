import type { Edit } from '../../../access/audit/edit.ts'
import type { StoredUser } from '../../../storage/resources/organization.ts'
import { storeUser } from '../../people/storeUser.ts'
import { removeAllFactors } from '../../secondFactor/factors.ts'
import { ScimError } from '../protocol/scimError.ts'
import { type ProvisionedMembers, type ScimUserInput, toProvisionedMembers } from './provisionUser.ts'
import { updateLink } from './updateLink.ts'

interface Options {
  readonly hasIdentityProvider: boolean
}

/**
 * Writes the members of a person that SCIM manages. The first write adopts an account that SCIM did not manage.
 * @throws {ScimError} `uniqueness` or `invalidValue`
 */
export async function writeUser(
  change: Edit,
  before: StoredUser,
  input: ScimUserInput,
  options: Options
): Promise<StoredUser> {
  const { at } = change
  const wasActive = before.provisioning?.active ?? !before.isDisabled
  const isActive = input.active ?? wasActive
  const members = toProvisionedMembers(input, isActive, before._id)
  await assertUnique(change, members, before._id)
  const managed = before.provisioning ? before : await adopt(change, before, members, options)
  const { externalId: _, ...adopted } = await updateLink(change, managed, members)
  const isDisabled = !isActive || (adopted.isLocked ?? false)
  const after: StoredUser = {
    ...adopted,
    ...members,
    isDisabled,
    ...(isDisabled && !before.isDisabled ? { signedOutAt: at } : {})
  }
  return storeUser(change, before, after)
}

/** Begins to manage a person as they are. @throws {ScimError} `uniqueness` */
export function adoptUser(change: Edit, user: StoredUser, options: Options): Promise<StoredUser> {
  const { email, name } = user
  return writeUser(
    change,
    user,
    { userName: email, displayName: name, emails: [{ value: email, primary: true }] },
    options
  )
}

/**
 * Returns a person whom SCIM begins to manage. An account that signs in through the identity provider is adopted only
 * if it provably belongs to the person: by its id there, or without an id by an e-mail address that the provider had
 * verified. Otherwise another person's account would get the groups of the owner of the address. An account with a
 * password or second factors loses them, as at the first sign-in through the identity provider: its creator may have
 * them.
 * @throws {ScimError} `uniqueness`
 */
async function adopt(
  change: Edit,
  user: StoredUser,
  { externalId }: ProvisionedMembers,
  options: Options
): Promise<StoredUser> {
  const { identity, isDisabled, passwordVerifier, ...rest } = user
  const lock = isDisabled ? { isLocked: true } : {}
  if (!identity) {
    if (!options.hasIdentityProvider) return { ...user, ...lock }
    const hadFactors = await removeAllFactors(change, user)
    if (passwordVerifier === undefined && !hadFactors) return { ...user, ...lock }
    return { ...rest, ...lock, isDisabled, mustChangePassword: false, signedOutAt: change.at }
  }
  if (isProven(user, externalId)) return { ...user, ...lock }
  const doubt =
    externalId === undefined ? 'the provider has not verified the address' : 'externalId is not its id at the provider'
  throw new ScimError(
    'uniqueness',
    `an account with this e-mail address already signs in through the identity provider, and nothing proves that it is the same person: ${doubt}`
  )
}

/**
 * Whether the account at the identity provider, if there is one, belongs to the person in the SCIM request. An
 * `externalId` decides alone: an address can belong to another person now.
 */
export function isProven({ identity }: StoredUser, externalId: string | undefined): boolean {
  if (!identity) return true
  if (externalId === undefined) return identity.isEmailVerified === true
  return [identity.subject, identity.objectId].includes(externalId)
}

/** Asserts that no other person has the same names. @throws {ScimError} `uniqueness` */
export async function assertUnique(
  change: Edit,
  { email, provisionedName, externalId }: ProvisionedMembers,
  id: string | undefined
): Promise<void> {
  const users = change.store.collection('users')
  const _organization = change.caller.organization
  const isOther = (user: StoredUser | undefined) => user !== undefined && user._id !== id
  const named = await users.list({ where: { _organization, provisionedName } })
  // The `userName` of people whom SCIM does not manage is their e-mail address.
  const namesake = await users.get({ _organization, email: provisionedName })
  const isTaken = named.items.some(isOther) || (isOther(namesake) && !namesake?.provisioning)
  if (isTaken) throw taken('userName', provisionedName)
  if (externalId !== undefined) {
    const { items } = await users.list({ where: { _organization, externalId } })
    if (items.some((user) => isOther(user) && !user.provisioning?.deletedAt)) throw taken('externalId', externalId)
  }
  const holder = await users.get({ _organization, email })
  if (!holder || !isOther(holder)) return
  if (!holder.provisioning?.deletedAt) throw taken('the e-mail address', email)
  await releaseAddress(change, holder)
}

/** Releases the address of a person whom SCIM deleted, for its next owner. The account stays. */
async function releaseAddress(change: Edit, deleted: StoredUser): Promise<void> {
  await storeUser(change, deleted, { ...deleted, email: `${deleted._id}@deprovisioned.invalid` })
}

function taken(what: string, value: string): ScimError {
  return new ScimError('uniqueness', `${what} ${JSON.stringify(value)} belongs to another person`)
}
