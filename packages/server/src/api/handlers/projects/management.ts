import type { Management, UpdateManagement } from '@burgee/contract/schemas'
import { omitUndefined } from '@burgee/kit'
import type { EditRunner } from '../../../access/audit/edit.ts'
import { getProject } from '../../../access/lookup.ts'
import { assertMayManage } from '../../../flags/management/assertMayManage.ts'
import { assertNotManaged, nameOf, takeOver } from '../../../flags/management/otherLabels.ts'
import type { StoredManagement, StoredProject } from '../../../storage/resources/project.ts'
import type { Store } from '../../../storage/store.ts'
import type { Handlers } from '../shared/handler.ts'
import { assertIfMatch, withRevision } from '../shared/revised.ts'

interface Dependencies {
  readonly store: Store
  readonly edit: EditRunner
}

/** Handles the members of projects that files describe. */
export function management({
  store,
  edit
}: Dependencies): Pick<Handlers, 'listManagement' | 'getManagement' | 'updateManagement'> {
  return {
    listManagement: async ({ params }, caller) => {
      const project = await getProject(store, params.project, caller)
      const { items } = await store.collection('management').list({ where: { _project: project._id }, sortBy: 'label' })
      return [...items]
    },

    getManagement: async ({ params }, caller) => {
      const found = await find(store, await getProject(store, params.project, caller), params.label)
      return withRevision(found, found)
    },

    updateManagement: ({ params, headers, body }, caller) =>
      edit(caller, async (change) => {
        const project = await getProject(change.store, params.project, caller)
        const before = await find(change.store, project, params.label)
        await assertIfMatch(change, before, headers, 'feature:read')
        const names = new Set(body.resources.map(nameOf))
        const replaced = before.resources.filter((resource) => names.has(nameOf(resource)))
        assertMayManage(caller, [...replaced, ...body.resources], project._id)
        const collection = change.store.collection('management')
        const { items } = await collection.list({ where: { _project: project._id } })
        const others = items.filter(({ label }) => label !== params.label)
        if (body.takeOver) {
          for (const other of takeOver(others, body.resources)) {
            await collection.update(other._id, { resources: other.resources, updatedAt: change.at })
          }
        } else {
          assertNotManaged(others, body.resources)
        }
        const isNew = before._id === project._id
        const after: StoredManagement = {
          ...before,
          ...(isNew ? change.recordFields() : {}),
          ...omitUndefined({ repository: body.repository, path: body.path, commit: body.commit }),
          updatedAt: change.at,
          resources: merge(before.resources, body.resources)
        }
        if (isNew) await collection.insert(after)
        else await collection.update(before._id, after)
        return withRevision(after, after)
      })
  }
}

/** Returns the record of a label, or an empty one, with the id of the project, if none is stored. */
async function find(store: Store, { _id, createdAt }: StoredProject, label: string): Promise<StoredManagement> {
  const found = await store.collection('management').get({ _project: _id, label })
  return found ?? { _id, createdAt, updatedAt: createdAt, _project: _id, label, resources: [] }
}

/** Replaces the listed resources, and removes those without members. */
function merge(before: Management['resources'], listed: UpdateManagement['resources']): Management['resources'] {
  const byName = new Map(before.map((resource) => [nameOf(resource), resource]))
  for (const resource of listed) byName.set(nameOf(resource), resource)
  return [...byName.values()].filter(({ fields }) => Object.keys(fields).length > 0)
}
