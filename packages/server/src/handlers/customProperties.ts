import { created, deleted } from '../audit/changes.ts'
import type { MakeEdit } from '../audit/edit.ts'
import { replaceItem } from '../audit/replaceItem.ts'
import type { TokenCaller } from '../caller.ts'
import { demandSchema, toSchema } from '../customProperties/schema.ts'
import { usedProperties } from '../customProperties/usage.ts'
import { findIn, findProject } from '../find.ts'
import { given } from '../given.ts'
import type { StoredCustomProperty } from '../store/resources.ts'
import type { Store } from '../store/store.ts'
import type { Handlers } from './handler.ts'
import { pageOf } from './page.ts'

interface Dependencies {
  readonly store: Store
  readonly edit: MakeEdit
}

type Operations =
  | 'createCustomProperty'
  | 'listCustomProperties'
  | 'getCustomProperty'
  | 'updateCustomProperty'
  | 'deleteCustomProperty'

/** Keeps the attributes of users that projects know by name. */
export function customProperties({ store, edit }: Dependencies): Pick<Handlers, Operations> {
  return {
    createCustomProperty: ({ params, body: { schema, ...members } }, caller) =>
      edit(caller, async ({ store, stamps, note }) => {
        const { _id: _project } = await findProject(store, params.project, caller)
        const property: StoredCustomProperty = {
          ...stamps(),
          _project,
          _createdBy: caller.id,
          ...members,
          ...(schema ? { schema: toSchema(schema) } : {})
        }
        demandSchema(property)
        note({ _project }, [created('CustomProperty', property)])
        return store.collection('customProperties').insert(property)
      }),

    listCustomProperties: async ({ params, query }, caller) => {
      const project = await findProject(store, params.project, caller)
      const { type, includeUsage, ...paging } = query
      const where = { _project: project._id, ...given({ type }) }
      const { items, count } = await store
        .collection('customProperties')
        .list(pageOf<StoredCustomProperty>(paging, where))
      if (!includeUsage) return { items, count }
      const used = await usedProperties(store, project)
      return { items: items.map((property) => ({ ...property, hasUsage: used.has(property.propertyKey) })), count }
    },

    getCustomProperty: ({ params }, caller) => find(store, params, caller),

    updateCustomProperty: ({ params, body: { schema, ...members } }, caller) =>
      edit(caller, async (change) => {
        const before = await find(change.store, params, caller)
        const after: StoredCustomProperty = {
          ...before,
          ...given(members),
          ...(schema ? { schema: toSchema(schema) } : {})
        }
        demandSchema(after)
        const subject = { _project: before._project }
        const place = { collection: 'customProperties', resource: 'CustomProperty', subject } as const
        return replaceItem(change, place, before, after)
      }),

    deleteCustomProperty: ({ params }, caller) =>
      edit(caller, async ({ store, note }) => {
        const property = await find(store, params, caller)
        await store.collection('customProperties').remove(property._id)
        note({ _project: property._project }, [deleted('CustomProperty', property)])
      })
  }
}

interface Address {
  readonly project: string
  readonly key: string
}

async function find(store: Store, { project, key }: Address, caller: TokenCaller): Promise<StoredCustomProperty> {
  return findIn(store, 'customProperties', await findProject(store, project, caller), key)
}
