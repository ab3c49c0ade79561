import type { Input, Operations, StaticConfiguration } from '@burgee/contract'
import type { MakeEdit } from '../audit/edit.ts'
import { addFeature } from '../features/addFeature.ts'
import { changeFeatureAt } from '../features/changeFeature.ts'
import { environmentsOf } from '../features/readContext.ts'
import { readFeature } from '../features/readFeature.ts'
import { type Found, readFeatureAt } from '../features/readFeatureAt.ts'
import { changeBy } from '../features/rules/changeBy.ts'
import { toStaleness } from '../features/rules/toStaleness.ts'
import { toStaticConfiguration } from '../features/rules/toStaticConfiguration.ts'
import { featureView, showFeature } from '../features/showFeature.ts'
import { findProject } from '../find.ts'
import { given } from '../given.ts'
import type { StoredFeature, StoredProject } from '../store/resources.ts'
import type { Page, Store } from '../store/store.ts'
import type { Handlers } from './handler.ts'
import { pageOf } from './page.ts'

interface Dependencies {
  readonly store: Store
  readonly edit: MakeEdit
}

type Ids =
  | 'createFeature'
  | 'listFeatures'
  | 'getFeature'
  | 'updateFeature'
  | 'updateFeatureStatus'
  | 'getStaticConfiguration'
  | 'updateStaticConfiguration'
  | 'getFeatureStaleness'
  | 'updateFeatureStaleness'
  | 'updateFeatureSummary'

/** Keeps features: what they carry, how far they have come, what is said about them. */
export function features({ store, edit }: Dependencies): Pick<Handlers, Ids> {
  return {
    createFeature: ({ params, body }, caller) =>
      edit(caller, async (change) => {
        const project = await findProject(change.store, params.project, caller)
        return showFeature(change.store, { project, caller, state: await addFeature(change, project, body) })
      }),

    listFeatures: async ({ params, query }, caller) => {
      const project = await findProject(store, params.project, caller)
      const { items, count } = await list(store, project, query)
      const view = await featureView(store, { project, caller, includeLatestUpdate: query.includeLatestUpdate })
      return { items: await Promise.all(items.map(async (feature) => view(await readFeature(store, feature)))), count }
    },

    getFeature: async ({ params }, caller) => showFeature(store, await readFeatureAt(store, params, caller)),

    updateFeature: ({ params, body }, caller) =>
      edit(caller, async (change) =>
        showFeature(change.store, await changeFeatureAt(change, params, changeBy.updateFeature(body)))
      ),

    updateFeatureStatus: ({ params, body }, caller) =>
      edit(caller, async (change) =>
        showFeature(change.store, await changeFeatureAt(change, params, changeBy.updateFeatureStatus(body)))
      ),

    getStaticConfiguration: async ({ params }, caller) => showStatic(store, await readFeatureAt(store, params, caller)),

    updateStaticConfiguration: ({ params, body }, caller) =>
      edit(caller, async (change) =>
        showStatic(change.store, await changeFeatureAt(change, params, changeBy.updateStaticConfiguration(body)))
      ),

    getFeatureStaleness: async ({ params }, caller) =>
      toStaleness((await readFeatureAt(store, params, caller)).state.feature),

    updateFeatureStaleness: ({ params, body }, caller) =>
      edit(caller, async (change) => {
        const { state } = await changeFeatureAt(change, params, changeBy.updateFeatureStaleness(body))
        return toStaleness(state.feature)
      }),

    updateFeatureSummary: ({ params, body }, caller) =>
      edit(caller, async (change) => {
        const { state } = await changeFeatureAt(change, params, changeBy.updateFeatureSummary(body))
        return state.feature.summary
      })
  }
}

/** The features of a project that a request asks for. Nothing says yet which are stale, so none is. */
async function list(
  store: Store,
  project: StoredProject,
  query: Input<Operations['listFeatures']>['query']
): Promise<Page<StoredFeature>> {
  const { type, status, keys, staleness = 'notStale', includeLatestUpdate, ...paging } = query
  if (staleness !== 'notStale') return { items: [], count: 0 }
  const where = { _project: project._id, ...given({ type, status }) }
  const page = pageOf<StoredFeature>(paging, where, ['name', 'key', 'tags', 'description'])
  const wanted = [keys ?? []].flat().flatMap((key) => key.split(','))
  return store.collection('features').list(keys === undefined ? page : { ...page, oneOf: { key: wanted } })
}

async function showStatic(store: Store, found: Found): Promise<StaticConfiguration> {
  return toStaticConfiguration(found.state, await showFeature(store, found), await environmentsOf(store, found.project))
}
