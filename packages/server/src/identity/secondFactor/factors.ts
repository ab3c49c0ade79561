import type { AddedSecondFactor, SecondFactor } from '@burgee/contract/schemas'
import { omitUndefined } from '@burgee/kit'
import { createdChange, deletedChange } from '../../access/audit/changes.ts'
import type { Edit } from '../../access/audit/edit.ts'
import { preconditionFailed } from '../../lib/errors.ts'
import type { StoredUser } from '../../storage/resources/organization.ts'
import type {
  StoredAuthenticatorApp,
  StoredPasskey,
  StoredRecoveryCodes
} from '../../storage/resources/secondFactor.ts'
import type { Store } from '../../storage/store.ts'
import { removeChallenges } from './challenges.ts'
import { generateRecoveryCodes } from './recoveryCodes.ts'

/** The second factors of a person. */
export interface PersonFactors {
  readonly apps: readonly StoredAuthenticatorApp[]
  readonly passkeys: readonly StoredPasskey[]
  readonly codes: StoredRecoveryCodes | undefined
}

type Person = Pick<StoredUser, '_id'>

/** Returns the second factors of a person. */
export async function loadFactors(store: Store, { _id: _user }: Person): Promise<PersonFactors> {
  const [apps, passkeys, codes] = await Promise.all([
    store.collection('authenticatorApps').list({ where: { _user } }),
    store.collection('passkeys').list({ where: { _user } }),
    store.collection('recoveryCodes').get({ _user })
  ])
  return { apps: apps.items, passkeys: passkeys.items, codes }
}

/** Whether a person has a second factor. Recovery codes do not count. */
export async function hasSecondFactor(store: Store, person: Person): Promise<boolean> {
  const { apps, passkeys } = await loadFactors(store, person)
  return apps.length + passkeys.length > 0
}

/** Converts second factors to the API form, oldest first. */
export function toSecondFactors({ apps, passkeys }: PersonFactors): SecondFactor[] {
  const factors = [
    ...apps.map((app) => toSecondFactor('authenticatorApp', app)),
    ...passkeys.map((passkey) => toSecondFactor('passkey', passkey))
  ]
  return factors.sort((one, other) => (one.createdAt < other.createdAt ? -1 : 1))
}

/** A new second factor, without the members that every record has. */
type NewFactor =
  | { readonly type: 'authenticatorApp'; readonly members: NewItem<StoredAuthenticatorApp> }
  | { readonly type: 'passkey'; readonly members: NewItem<StoredPasskey> }

type NewItem<T> = Omit<T, '_id' | 'createdAt' | 'updatedAt' | '_user'>

/** The maximum number of second factors of a person. */
const MAX_FACTORS = 10

/** Adds a second factor, and recovery codes if it is the first. @throws {HttpError} 412 above the limit. */
export async function addFactor(change: Edit, user: StoredUser, factor: NewFactor): Promise<AddedSecondFactor> {
  const { store, recordFields, recordChanges } = change
  const { apps, passkeys, codes } = await loadFactors(store, user)
  if (apps.length + passkeys.length >= MAX_FACTORS) {
    throw preconditionFailed(`a person can have ${MAX_FACTORS} second factors; remove one first`)
  }
  const fields = { ...recordFields(), _user: user._id }
  if (factor.type === 'passkey') await store.collection('passkeys').insert({ ...fields, ...factor.members })
  else await store.collection('authenticatorApps').insert({ ...fields, ...factor.members })
  const added = toSecondFactor(factor.type, { ...fields, ...factor.members })
  recordChanges({}, [createdChange('SecondFactor', toLoggedFactor(added, user))])
  return codes ? added : { ...added, ...(await replaceCodes(change, user)) }
}

/** Replaces the recovery codes of a person. */
export async function replaceCodes(change: Edit, user: StoredUser): Promise<{ readonly recoveryCodes: string[] }> {
  const { store, recordFields, recordChanges } = change
  const { recoveryCodes, codeHashes } = generateRecoveryCodes(change)
  await removeCodes(change, user)
  const codes = { ...recordFields(), _user: user._id, codeHashes }
  await store.collection('recoveryCodes').insert(codes)
  const { _id } = codes
  recordChanges({}, [createdChange('RecoveryCodes', { _id, user_id: user.userId, count: codeHashes.length })])
  return { recoveryCodes }
}

/** Removes these second factors of a person, and the recovery codes if none is left. */
export async function removeFactors(change: Edit, user: StoredUser, removed: readonly SecondFactor[]): Promise<void> {
  const { store, recordChanges } = change
  for (const factor of removed) {
    const collection = factor.type === 'passkey' ? 'passkeys' : 'authenticatorApps'
    await store.collection(collection).remove(factor._id)
  }
  recordChanges(
    {},
    removed.map((factor) => deletedChange('SecondFactor', toLoggedFactor(factor, user)))
  )
  if (!(await hasSecondFactor(store, user))) await removeCodes(change, user)
}

/** Removes the second factors, recovery codes and challenges of a person. Returns whether there were any factors. */
export async function removeAllFactors(change: Edit, user: StoredUser): Promise<boolean> {
  const factors = toSecondFactors(await loadFactors(change.store, user))
  await removeFactors(change, user, factors)
  await removeChallenges(change.store, user)
  return factors.length > 0
}

async function removeCodes({ store, recordChanges }: Edit, { _id: _user, userId }: StoredUser): Promise<void> {
  const codes = await store.collection('recoveryCodes').get({ _user })
  if (!codes) return
  await store.collection('recoveryCodes').remove(codes._id)
  const contents = { _id: codes._id, user_id: userId, count: codes.codeHashes.length }
  recordChanges({}, [deletedChange('RecoveryCodes', contents)])
}

function toSecondFactor(
  type: SecondFactor['type'],
  { _id, name, createdAt, lastUsedAt }: StoredAuthenticatorApp | StoredPasskey
): SecondFactor {
  return { _id, type, name, createdAt, ...omitUndefined({ lastUsedAt }) }
}

function toLoggedFactor({ _id, type, name }: SecondFactor, { userId }: StoredUser) {
  return { _id, type, name, user_id: userId }
}
