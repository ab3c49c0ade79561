import { omitUndefined } from '@burgee/kit'
import { createdChange, deletedChange } from '../../../access/audit/changes.ts'
import type { EditRunner } from '../../../access/audit/edit.ts'
import { updateAudited } from '../../../access/audit/updateAudited.ts'
import { getInProject, getProject } from '../../../access/lookup.ts'
import type { TokenCaller } from '../../../access/permissions/caller.ts'
import { listUsedProperties } from '../../../flags/customProperties/listUsedProperties.ts'
import { assertPropertySchema, toPropertySchema } from '../../../flags/customProperties/propertySchema.ts'
import type { StoredCustomProperty } from '../../../storage/resources/project.ts'
import type { Store } from '../../../storage/store.ts'
import type { Handlers } from '../shared/handler.ts'
import { assertIfMatch, withRevision } from '../shared/revised.ts'
import { toListQuery } from '../shared/toListQuery.ts'

interface Dependencies {
  readonly store: Store
  readonly edit: EditRunner
}

type Operations =
  | 'createCustomProperty'
  | 'listCustomProperties'
  | 'getCustomProperty'
  | 'updateCustomProperty'
  | 'deleteCustomProperty'

/** Handles custom properties. */
export function customProperties({ store, edit }: Dependencies): Pick<Handlers, Operations> {
  return {
    createCustomProperty: ({ params, body: { schema, ...members } }, caller) =>
      edit(caller, async ({ store, recordFields, recordChanges }) => {
        const { _id: _project } = await getProject(store, params.project, caller)
        const property: StoredCustomProperty = {
          ...recordFields(),
          _project,
          _createdBy: caller.id,
          ...members,
          ...(schema ? { schema: toPropertySchema(schema) } : {})
        }
        assertPropertySchema(property)
        recordChanges({ _project }, [createdChange('CustomProperty', property)])
        return withRevision(property, await store.collection('customProperties').insert(property))
      }),

    listCustomProperties: async ({ params, query }, caller) => {
      const project = await getProject(store, params.project, caller)
      const { type, includeUsage, ...paging } = query
      const where = { _project: project._id, ...omitUndefined({ type }) }
      const { items, count } = await store
        .collection('customProperties')
        .list(toListQuery<StoredCustomProperty>(paging, where))
      if (!includeUsage) return { items, count }
      const used = await listUsedProperties(store, project)
      return { items: items.map((property) => ({ ...property, hasUsage: used.has(property.propertyKey) })), count }
    },

    getCustomProperty: async ({ params }, caller) => {
      const property = await find(store, params, caller)
      return withRevision(property, property)
    },

    updateCustomProperty: ({ params, headers, body: { schema, ...members } }, caller) =>
      edit(caller, async (change) => {
        const before = await find(change.store, params, caller)
        await assertIfMatch(change, before, headers, 'feature:read')
        const after: StoredCustomProperty = {
          ...before,
          ...omitUndefined(members),
          ...(schema ? { schema: toPropertySchema(schema) } : {})
        }
        assertPropertySchema(after)
        const subject = { _project: before._project }
        const place = { collection: 'customProperties', resource: 'CustomProperty', subject } as const
        const updated = await updateAudited(change, place, before, after)
        return withRevision(updated, updated)
      }),

    deleteCustomProperty: ({ params, headers }, caller) =>
      edit(caller, async (change) => {
        const { store, recordChanges } = change
        const property = await find(store, params, caller)
        await assertIfMatch(change, property, headers, 'feature:read')
        await store.collection('customProperties').remove(property._id)
        recordChanges({ _project: property._project }, [deletedChange('CustomProperty', property)])
      })
  }
}

interface Address {
  readonly project: string
  readonly key: string
}

async function find(store: Store, { project, key }: Address, caller: TokenCaller): Promise<StoredCustomProperty> {
  return getInProject(store, 'customProperties', await getProject(store, project, caller), key, caller)
}
