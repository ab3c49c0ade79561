import { omitUndefined } from '@burgee/kit'
import { formatValue } from '@burgee/kit/text'
import { createdChange, deletedChange } from '../../../access/audit/changes.ts'
import type { TokenCaller } from '../../../access/permissions/caller.ts'
import { notFound } from '../../../lib/errors.ts'
import type { StoredScimGroup, StoredUser } from '../../../storage/resources/organization.ts'
import type { Store } from '../../../storage/store.ts'
import type { ScimObject } from '../protocol/attribute.ts'
import { parseResource } from '../protocol/parseResource.ts'
import { applyPatch } from '../protocol/patch.ts'
import { type ScimQuery, selectResources } from '../protocol/query.ts'
import { groupSchema } from '../protocol/schemas.ts'
import type { Precondition, ScimDependencies, ScimPage, ScimResources } from './scimResources.ts'
import { toMeta } from './toMeta.ts'
import { assertNameFree, type GroupInput, toGroupInput, writeGroup } from './writeGroup.ts'

/** The groups of SCIM as resources. */
export function groups(dependencies: ScimDependencies): ScimResources {
  const { store, edit, baseUrl } = dependencies
  const toResource = async (group: StoredScimGroup, from: Store = store) => {
    return toScimGroup(group, await listMembers(from, group), baseUrl())
  }
  const update = async (
    id: string,
    caller: TokenCaller,
    precondition: Precondition,
    nextOf: (current: ScimObject) => GroupInput
  ) => {
    return edit(caller, async (change) => {
      const before = await getGroup(change.store, id, caller)
      const members = await listMembers(change.store, before)
      const current = toScimGroup(before, members, baseUrl())
      precondition(current)
      const after = await writeGroup(change, before, members, nextOf(current), dependencies)
      return toResource(after, change.store)
    })
  }
  return {
    schema: groupSchema,

    list: async (query, { organization: _organization }) => {
      const { items } = await store.collection('scimGroups').list({ where: { _organization } })
      const members = await listMembersByGroup(store, _organization)
      const all = items.map((group) => toScimGroup(group, members.get(group.displayName) ?? [], baseUrl()))
      return toPage(await selectResources(all, query), query)
    },

    get: async (id, caller) => toResource(await getGroup(store, id, caller)),

    create: async (body, caller) => {
      const input = toGroupInput(parseResource(body, groupSchema))
      const { displayName, externalId } = input
      return edit(caller, async (change) => {
        await assertNameFree(change, displayName)
        const group = await change.store.collection('scimGroups').insert({
          ...change.recordFields(),
          displayName,
          ...omitUndefined({ externalId }),
          _organization: caller.organization,
          _createdBy: caller.id
        })
        change.recordChanges({}, [createdChange('Group', group)])
        return toResource(await writeGroup(change, group, [], input, dependencies), change.store)
      })
    },

    replace: (id, body, precondition, caller) => {
      const input = toGroupInput(parseResource(body, groupSchema))
      return update(id, caller, precondition, () => input)
    },

    patch: (id, body, precondition, caller) => {
      return update(id, caller, precondition, (current) => {
        return toGroupInput(parseResource(applyPatch(current, body, groupSchema), groupSchema))
      })
    },

    remove: async (id, precondition, caller) => {
      await edit(caller, async (change) => {
        const before = await getGroup(change.store, id, caller)
        const members = await listMembers(change.store, before)
        precondition(toScimGroup(before, members, baseUrl()))
        await writeGroup(change, before, members, { displayName: before.displayName, members: [] }, dependencies)
        await change.store.collection('scimGroups').remove(before._id)
        change.recordChanges({}, [deletedChange('Group', before)])
      })
    }
  }
}

/** Returns a group by id. @throws {HttpError} 404 */
async function getGroup(store: Store, id: string, { organization }: TokenCaller): Promise<StoredScimGroup> {
  const group = await store.collection('scimGroups').get({ _organization: organization, _id: id })
  if (!group) throw notFound(`there is no group with the id ${formatValue(id)}`)
  return group
}

async function listMembers(
  store: Store,
  { _organization, displayName }: StoredScimGroup
): Promise<readonly StoredUser[]> {
  const query = { where: { _organization }, including: { provisionedGroups: displayName } }
  return (await store.collection('users').list(query)).items
}

/** Reads all people once, instead of once for each group. */
async function listMembersByGroup(
  store: Store,
  _organization: string
): Promise<ReadonlyMap<string, readonly StoredUser[]>> {
  const members = new Map<string, StoredUser[]>()
  for (const user of (await store.collection('users').list({ where: { _organization } })).items) {
    for (const name of user.provisionedGroups ?? []) {
      const group = members.get(name)
      if (group) group.push(user)
      else members.set(name, [user])
    }
  }
  return members
}

function toScimGroup(group: StoredScimGroup, members: readonly StoredUser[], baseUrl: string): ScimObject {
  const { _id, displayName, externalId } = group
  return {
    schemas: [groupSchema.id],
    id: _id,
    ...omitUndefined({ externalId }),
    displayName,
    members: members.map((user) => {
      return { value: user._id, $ref: `${baseUrl}/Users/${user._id}`, type: 'User' }
    }),
    meta: toMeta(group, groupSchema, baseUrl)
  }
}

/** The maximum number of members of all groups on a page; its first group may exceed it. */
const MAX_MEMBERS_PER_PAGE = 10_000

/** Returns a page, which may have fewer groups than requested (RFC 7644 §3.4.2.4). */
function toPage(selected: readonly ScimObject[], { startIndex, count }: ScimQuery): ScimPage {
  const resources: ScimObject[] = []
  let members = 0
  for (const group of selected.slice(startIndex - 1, startIndex - 1 + count)) {
    members += (group.members as readonly unknown[]).length
    if (resources.length > 0 && members > MAX_MEMBERS_PER_PAGE) break
    resources.push(group)
  }
  return { resources, total: selected.length }
}
