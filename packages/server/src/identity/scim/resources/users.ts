import { omitUndefined } from '@burgee/kit'
import { formatValue } from '@burgee/kit/text'
import type { Edit } from '../../../access/audit/edit.ts'
import type { TokenCaller } from '../../../access/permissions/caller.ts'
import { notFound } from '../../../lib/errors.ts'
import type { StoredScimGroup, StoredUser } from '../../../storage/resources/organization.ts'
import type { ItemMatch, Store } from '../../../storage/store.ts'
import { assertOwnerRemains } from '../../organizations/assertOwnerRemains.ts'
import { getOrganization } from '../../organizations/getOrganization.ts'
import { insertUser } from '../../people/insertUser.ts'
import { storeUser } from '../../people/storeUser.ts'
import { revokeAuthorizations } from '../../revocation/revokeAuthorizations.ts'
import { removeAllFactors } from '../../secondFactor/factors.ts'
import type { Filter } from '../protocol/filter.ts'
import { parseResource } from '../protocol/parseResource.ts'
import { applyPatch } from '../protocol/patch.ts'
import { selectResources } from '../protocol/query.ts'
import { userSchema } from '../protocol/schemas.ts'
import { type ScimUserInput, toProvisionedMembers, toUserInput } from './provisionUser.ts'
import type { Precondition, ScimDependencies, ScimResources } from './scimResources.ts'
import { toScimUser } from './toScimUser.ts'
import { assertUnique, isProven, writeUser } from './writeUser.ts'

/** The people of an organization as resources of SCIM. */
export function users(dependencies: ScimDependencies): ScimResources {
  const { store, edit, baseUrl } = dependencies

  const toResource = async (user: StoredUser, from: Store = store) => {
    const names = user.provisionedGroups ?? []
    const { items } = await from.collection('scimGroups').list({
      where: { _organization: user._organization },
      oneOf: { displayName: names }
    })
    return toScimUser(user, { baseUrl: baseUrl(), groups: groupsByName(items) })
  }
  /** Changes a person, and ends the sessions and tokens of a person who was disabled or whose password was removed. */
  const update = async (
    id: string,
    caller: TokenCaller,
    precondition: Precondition,
    work: (change: Edit, before: StoredUser) => Promise<StoredUser>
  ) => {
    const user = await edit(caller, async (change) => {
      const before = await getUser(change.store, id, caller)
      precondition(await toResource(before, change.store))
      const after = await work(change, before)
      await assertOwnerRemains(change.store, await getOrganization(change.store, caller), { people: [before] })
      return { after, isSignedOut: after.signedOutAt !== before.signedOutAt }
    })
    const { userId, signedOutAt } = user.after
    if (user.isSignedOut) await revokeAuthorizations(store, { accountId: userId }, signedOutAt)
    return user.after
  }
  return {
    schema: userSchema,

    list: async (query, { organization: _organization }) => {
      const items = await findCandidates(store, _organization, query.filter)
      const groups = await store.collection('scimGroups').list({ where: { _organization } })
      const context = { baseUrl: baseUrl(), groups: groupsByName(groups.items) }
      const all = items.filter(isVisible).map((user) => toScimUser(user, context))
      const selected = await selectResources(all, query)
      const start = query.startIndex - 1
      return { resources: selected.slice(start, start + query.count), total: selected.length }
    },

    get: async (id, caller) => toResource(await getUser(store, id, caller)),

    create: async (body, caller) => {
      const input = toUserInput(parseResource(body, userSchema))
      const result = await edit(caller, (change) => createOrAdopt(change, input, dependencies))
      const { userId, signedOutAt } = result.user
      if (result.isSignedOut) await revokeAuthorizations(store, { accountId: userId }, signedOutAt)
      return toResource(result.user)
    },

    replace: async (id, body, precondition, caller) => {
      const input = toUserInput(parseResource(body, userSchema))
      return toResource(
        await update(id, caller, precondition, (change, before) => writeUser(change, before, input, dependencies))
      )
    },

    patch: async (id, body, precondition, caller) => {
      const user = await update(id, caller, precondition, (change, before) => {
        const resource = toScimUser(before, { baseUrl: baseUrl(), groups: new Map() })
        const input = toUserInput(parseResource(applyPatch(resource, body, userSchema), userSchema))
        return writeUser(change, before, input, dependencies)
      })
      return toResource(user)
    },

    remove: async (id, precondition, caller) => {
      await update(id, caller, precondition, removeUser)
    }
  }
}

/**
 * Returns the people that a filter can match. Uses an index for the comparisons by which identity providers look people
 * up before they create them.
 */
async function findCandidates(
  store: Store,
  _organization: string,
  filter: Filter | undefined
): Promise<readonly StoredUser[]> {
  const collection = store.collection('users')
  const list = async (where: ItemMatch<StoredUser>) => {
    return (await collection.list({ where: { ...where, _organization } })).items
  }
  if (filter?.type !== 'compare' || filter.operator !== 'eq' || typeof filter.value !== 'string') return list({})
  const { value } = filter
  const [{ name }] = filter.path
  if (name === 'id') return list({ _id: value })
  if (name === 'externalId') return list({ externalId: value })
  if (name !== 'userName') return list({})
  const named = await list({ provisionedName: value.toLowerCase() })
  // The `userName` of people whom SCIM does not manage is their e-mail address.
  const holder = await collection.get({ _organization, email: value.toLowerCase() })
  return holder && !holder.provisioning ? [...named, holder] : named
}

function groupsByName(groups: readonly StoredScimGroup[]): ReadonlyMap<string, StoredScimGroup> {
  return new Map(groups.map((group) => [group.displayName, group]))
}

/** Whether SCIM returns a person: false only for people whom it deleted. */
function isVisible({ provisioning }: StoredUser): boolean {
  return provisioning?.deletedAt === undefined
}

/** Returns a person by id. @throws {HttpError} 404 */
async function getUser(store: Store, id: string, { organization }: TokenCaller): Promise<StoredUser> {
  const user = await store.collection('users').get({ _organization: organization, _id: id })
  if (!user || !isVisible(user)) throw notFound(`there is no user with the id ${formatValue(id)}`)
  return user
}

/** Creates a person, adopts an existing account, or restores a person whom SCIM deleted. */
async function createOrAdopt(
  change: Edit,
  input: ScimUserInput,
  options: Pick<ScimDependencies, 'hasIdentityProvider'>
): Promise<{ readonly user: StoredUser; readonly isSignedOut: boolean }> {
  const { store, caller, recordFields } = change
  const fields = recordFields()
  const members = toProvisionedMembers(input, input.active ?? true, fields._id)
  const existing = await findExisting(change, input, members.email)
  if (existing) {
    const user = await writeUser(change, existing, { ...input, active: input.active ?? true }, options)
    await assertOwnerRemains(store, await getOrganization(store, caller), { people: [existing] })
    return { user, isSignedOut: user.signedOutAt !== existing.signedOutAt }
  }
  await assertUnique(change, members, undefined)
  const { organization: _organization, id: _createdBy } = caller
  const isDisabled = !members.provisioning.active
  const user = await insertUser(change, { fields, ...members, roles: [], isDisabled, _organization, _createdBy })
  return { user, isSignedOut: false }
}

/**
 * Finds an existing account for a person to create: one that SCIM deleted, with the same `externalId`, or an account
 * that SCIM does not manage, with the same id at the identity provider or the same e-mail address.
 */
async function findExisting(
  { store, caller }: Edit,
  { externalId }: ScimUserInput,
  email: string
): Promise<StoredUser | undefined> {
  const { items } = await store.collection('users').list({ where: { _organization: caller.organization } })
  const isSame = ({ externalId: known, identity }: StoredUser) => {
    return externalId !== undefined && [known, identity?.subject, identity?.objectId].includes(externalId)
  }
  return (
    items.find((user) => (!user.provisioning || !isVisible(user)) && isSame(user)) ??
    items.find((user) => {
      if (user.email !== email) return false
      // The address of a deleted person may belong to another person now, unless the `externalId` is the same.
      const isSamePerson = user.externalId === externalId && isProven(user, externalId)
      return user.provisioning ? !isVisible(user) && isSamePerson : true
    })
  )
}

/**
 * Deletes a person for SCIM: disables the account, which audit entries refer to, and removes roles, groups, password
 * and second factors.
 */
async function removeUser(change: Edit, before: StoredUser): Promise<StoredUser> {
  const { at } = change
  const { email: userName } = before
  const { passwordVerifier, provisionedName, provisionedGroups, groups, releasedIdentity, ...account } = before
  // A person who could be linked to the account by the address is refused, like its holder.
  const identity = before.identity ?? releasedIdentity
  await removeAllFactors(change, before)
  return storeUser(change, before, {
    ...account,
    ...omitUndefined({ identity }),
    roles: [],
    isDisabled: true,
    mustChangePassword: false,
    signedOutAt: at,
    provisioning: { userName, ...before.provisioning, active: false, deletedAt: at }
  })
}
