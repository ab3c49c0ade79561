import { isSingleLine } from '@burgee/contract/schemas'
import { omitUndefined } from '@burgee/kit'
import { formatValue } from '@burgee/kit/text'
import { diffContents } from '../../../access/audit/changes.ts'
import type { Edit } from '../../../access/audit/edit.ts'
import type { StoredScimGroup, StoredUser } from '../../../storage/resources/organization.ts'
import { assertOwnerRemains } from '../../organizations/assertOwnerRemains.ts'
import { getOrganization } from '../../organizations/getOrganization.ts'
import type { ScimObject } from '../protocol/attribute.ts'
import { ScimError } from '../protocol/scimError.ts'
import { adoptUser } from './writeUser.ts'

/** A group in a request, parsed by the schema. */
export interface GroupInput {
  readonly displayName: string
  readonly externalId?: string
  /** Ids of people. Absent: unchanged. */
  readonly members?: readonly string[]
}

/** The maximum length of the name of a group; group mappings have the same limit. */
const MAX_NAME_LENGTH = 200

/** Reads a parsed resource. @throws {ScimError} `invalidValue` */
export function toGroupInput(resource: ScimObject): GroupInput {
  // `parseResource` has checked the types of all attributes of the schema.
  const {
    displayName,
    externalId,
    members = []
  } = resource as unknown as {
    readonly displayName: string
    readonly externalId?: string
    readonly members?: readonly { readonly value?: string; readonly type?: string }[]
  }
  if (displayName.trim() === '') throw new ScimError('invalidValue', 'displayName is required')
  if (displayName.length > MAX_NAME_LENGTH) {
    const { length } = displayName
    throw new ScimError('invalidValue', `displayName should have at most ${MAX_NAME_LENGTH} characters, has ${length}`)
  }
  if (!isSingleLine(displayName)) {
    throw new ScimError(
      'invalidValue',
      `displayName should be one line without control characters and hidden letters, got ${formatValue(displayName)}`
    )
  }
  const ids = members.map(({ value, type = 'User' }, index) => {
    if (type.toLowerCase() !== 'user') {
      throw new ScimError('invalidValue', `members[${index}].type should be User, got ${JSON.stringify(type)}`)
    }
    if (value === undefined) throw new ScimError('invalidValue', `members[${index}].value is required`)
    return value
  })
  return { displayName, ...omitUndefined({ externalId }), members: [...new Set(ids)] }
}

/**
 * Writes a group and the memberships of people. `current` contains its members before the change.
 * @throws {HttpError} 400 for an unknown member, 409
 */
export async function writeGroup(
  change: Edit,
  before: StoredScimGroup,
  current: readonly StoredUser[],
  { displayName, externalId, members }: GroupInput,
  options: { readonly hasIdentityProvider: boolean }
): Promise<StoredScimGroup> {
  const { store, at, caller, recordChanges } = change
  if (displayName !== before.displayName) await assertNameFree(change, displayName)
  const ids = new Set(members)
  const removed = current.filter(({ _id }) => !ids.has(_id))
  const known = new Set(current.map(({ _id }) => _id))
  const added: StoredUser[] = []
  for (const id of ids) if (!known.has(id)) added.push(await getMember(change, id, options))
  const isRenamed = displayName !== before.displayName
  const kept = isRenamed ? current.filter(({ _id }) => ids.has(_id)) : []
  for (const user of removed) await setGroups(change, user, without(user, before.displayName))
  for (const user of [...kept, ...added]) {
    await setGroups(change, user, [...without(user, before.displayName), displayName].sort())
  }
  const { externalId: _, ...rest } = before
  const after: StoredScimGroup = { ...rest, displayName, ...omitUndefined({ externalId }), updatedAt: at }
  const contents = diffContents(before, after)
  if (!contents && added.length === 0 && removed.length === 0) return before
  await store.collection('scimGroups').update(before._id, { ...after, externalId })
  const memberships = {
    ...(added.length === 0 ? {} : { added: added.map(({ userId }) => userId) }),
    ...(removed.length === 0 ? {} : { removed: removed.map(({ userId }) => userId) })
  }
  const metadata = { _id: before._id, displayName, ...memberships }
  const { newContents = {}, previousContents = {} } = contents ?? {}
  recordChanges({}, [{ type: 'modifiedGroup', newContents, previousContents, metadata }])
  await assertOwnerRemains(store, await getOrganization(store, caller), { people: [...removed, ...kept, ...added] })
  return after
}

/**
 * Asserts that the name of a group is unique, because group mappings refer to names.
 * @throws {ScimError} `uniqueness`
 */
export async function assertNameFree({ store, caller }: Edit, displayName: string): Promise<void> {
  const taken = await store.collection('scimGroups').get({ _organization: caller.organization, displayName })
  if (taken) throw new ScimError('uniqueness', `displayName ${JSON.stringify(displayName)} belongs to another group`)
}

/** Returns a person who joins a group, and adopts the account for SCIM. @throws {ScimError} */
async function getMember(
  change: Edit,
  id: string,
  options: { readonly hasIdentityProvider: boolean }
): Promise<StoredUser> {
  const user = await change.store.collection('users').get({ _organization: change.caller.organization, _id: id })
  if (!user || user.provisioning?.deletedAt) {
    throw new ScimError('invalidValue', `members: ${JSON.stringify(id)} is not the id of a user`)
  }
  return user.provisioning ? user : adoptUser(change, user, options)
}

function without({ provisionedGroups = [] }: StoredUser, name: string): readonly string[] {
  return provisionedGroups.filter((one) => one !== name)
}

/** Sets the groups of a person without an audit entry: the entry of the group contains the memberships. */
async function setGroups({ store, at }: Edit, user: StoredUser, provisionedGroups: readonly string[]): Promise<void> {
  await store.collection('users').update(user._id, { provisionedGroups, updatedAt: at })
}
