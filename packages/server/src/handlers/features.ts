import type { Input, Operations, StaticConfiguration } from '@burgee/contract'
import type { MakeEdit } from '../audit/edit.ts'
import { addFeature } from '../features/addFeature.ts'
import { changeFeatureAt, type Rule } from '../features/changeFeature.ts'
import { environmentsOf } from '../features/context.ts'
import { readFeature } from '../features/featureState.ts'
import { type Found, readFeatureAt } from '../features/readFeatureAt.ts'
import { updateStaticConfiguration } from '../features/staticConfiguration.ts'
import { changeStatus } from '../features/status.ts'
import { featureView, showFeature } from '../features/toFeature.ts'
import { toStaleness } from '../features/toStaleness.ts'
import { toStaticConfiguration } from '../features/toStaticConfiguration.ts'
import { updateFeature } from '../features/update.ts'
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
      edit(caller, async (change) => {
        const changed = await changeFeatureAt(
          change,
          params,
          (state, context) => updateFeature(state, body, context),
          body
        )
        return showFeature(change.store, changed)
      }),

    updateFeatureStatus: ({ params, body }, caller) =>
      edit(caller, async (change) => {
        const changed = await changeFeatureAt(change, params, (state, context) => changeStatus(state, body, context))
        return showFeature(change.store, changed)
      }),

    getStaticConfiguration: async ({ params }, caller) => showStatic(store, await readFeatureAt(store, params, caller)),

    updateStaticConfiguration: ({ params, body }, caller) =>
      edit(caller, async (change) => {
        const rule: Rule = (state, context) => updateStaticConfiguration(state, body, context)
        return showStatic(change.store, await changeFeatureAt(change, params, rule))
      }),

    getFeatureStaleness: async ({ params }, caller) =>
      toStaleness((await readFeatureAt(store, params, caller)).state.feature),

    updateFeatureStaleness: ({ params, body }, caller) =>
      edit(caller, async (change) => {
        const rule: Rule = (state, context) => updateFeature(state, { staleness: body }, context)
        return toStaleness((await changeFeatureAt(change, params, rule)).state.feature)
      }),

    updateFeatureSummary: ({ params, body }, caller) =>
      edit(caller, async (change) => {
        const rule: Rule = (state, context) => updateFeature(state, { summary: body }, context)
        return (await changeFeatureAt(change, params, rule)).state.feature.summary
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
