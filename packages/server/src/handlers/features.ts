import type { FeatureStaleness, Input, Operations, StaticConfiguration } from '@burgee/contract'
import type { MakeEdit } from '../audit/edit.ts'
import type { TokenCaller } from '../caller.ts'
import { addFeature } from '../features/addFeature.ts'
import { changeFeatureAt } from '../features/changeFeature.ts'
import { environmentsOf } from '../features/readContext.ts'
import { readFeature } from '../features/readFeature.ts'
import { type Found, readFeatureAt } from '../features/readFeatureAt.ts'
import { changeBy } from '../features/rules/changeBy.ts'
import type { FeatureChange } from '../features/rules/featureChange.ts'
import { toStaticConfiguration } from '../features/rules/toStaticConfiguration.ts'
import { featureView, showFeature } from '../features/showFeature.ts'
import { type FeatureAddress, findProject } from '../find.ts'
import { given } from '../given.ts'
import { findByStaleness, keeping } from '../staleness/findByStaleness.ts'
import type { Inspect, Inspector } from '../staleness/inspect.ts'
import { toStaleness } from '../staleness/toStaleness.ts'
import type { StoredFeature, StoredProject } from '../store/resources.ts'
import type { Page, Store } from '../store/store.ts'
import type { Handlers } from './handler.ts'
import { pageOf } from './page.ts'

interface Dependencies {
  readonly store: Store
  readonly edit: MakeEdit
  readonly inspect: Inspect
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
export function features({ store, edit, inspect }: Dependencies): Pick<Handlers, Ids> {
  /** Changes one; it is shown after that, because the event store is asked and no other write is to wait for it. */
  const change = (caller: TokenCaller, at: FeatureAddress, by: FeatureChange): Promise<Found> =>
    edit(caller, (made) => changeFeatureAt(made, at, by))

  return {
    createFeature: async ({ params, body }, caller) => {
      const made = await edit(caller, async (edited) => {
        const project = await findProject(edited.store, params.project, caller)
        return { project, caller, state: await addFeature(edited, project, body) }
      })
      return showFeature(store, inspect, made)
    },

    listFeatures: async ({ params, query }, caller) => {
      const project = await findProject(store, params.project, caller)
      const inspector = await inspect(store, project)
      const { items, count } = await list(store, inspector, project, query)
      const view = await featureView(store, async () => inspector, {
        project,
        caller,
        includeLatestUpdate: query.includeLatestUpdate
      })
      return { items: await Promise.all(items.map(async (feature) => view(await readFeature(store, feature)))), count }
    },

    getFeature: async ({ params }, caller) => showFeature(store, inspect, await readFeatureAt(store, params, caller)),

    updateFeature: async ({ params, body }, caller) =>
      showFeature(store, inspect, await change(caller, params, changeBy.updateFeature(body))),

    updateFeatureStatus: async ({ params, body }, caller) =>
      showFeature(store, inspect, await change(caller, params, changeBy.updateFeatureStatus(body))),

    getStaticConfiguration: async ({ params }, caller) =>
      showStatic(store, inspect, await readFeatureAt(store, params, caller)),

    updateStaticConfiguration: async ({ params, body }, caller) =>
      showStatic(store, inspect, await change(caller, params, changeBy.updateStaticConfiguration(body))),

    getFeatureStaleness: async ({ params }, caller) =>
      showStaleness(store, inspect, await readFeatureAt(store, params, caller)),

    updateFeatureStaleness: async ({ params, body }, caller) =>
      showStaleness(store, inspect, await change(caller, params, changeBy.updateFeatureStaleness(body))),

    updateFeatureSummary: async ({ params, body }, caller) => {
      const { state } = await change(caller, params, changeBy.updateFeatureSummary(body))
      return state.feature.summary
    }
  }
}

/** The features of a project that a request asks for. */
async function list(
  store: Store,
  inspector: Inspector,
  project: StoredProject,
  query: Input<Operations['listFeatures']>['query']
): Promise<Page<StoredFeature>> {
  const { type, status, keys, staleness, includeLatestUpdate, ...paging } = query
  const where = { _project: project._id, ...given({ type, status }) }
  const wanted = [keys ?? []].flat().flatMap((key) => key.split(','))
  const page = {
    ...pageOf<StoredFeature>(paging, where, ['name', 'key', 'tags', 'description']),
    ...(keys === undefined ? {} : { oneOf: { key: wanted } })
  }
  if (staleness === undefined) return store.collection('features').list(page)
  return findByStaleness(store, inspector, page, keeping(staleness))
}

async function showStaleness(store: Store, inspect: Inspect, { project, state }: Found): Promise<FeatureStaleness> {
  const { find, at } = await inspect(store, project)
  return toStaleness(state.feature, find(state), at)
}

async function showStatic(store: Store, inspect: Inspect, found: Found): Promise<StaticConfiguration> {
  return toStaticConfiguration(
    found.state,
    await showFeature(store, inspect, found),
    await environmentsOf(store, found.project)
  )
}
