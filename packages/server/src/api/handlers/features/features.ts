import type { Input, Operations } from '@burgee/contract'
import type { Feature, FeatureStaleness, StaticConfiguration } from '@burgee/contract/schemas'
import { omitUndefined } from '@burgee/kit'
import type { EditRunner } from '../../../access/audit/edit.ts'
import { type FeaturePath, getProject } from '../../../access/lookup.ts'
import type { TokenCaller } from '../../../access/permissions/caller.ts'
import { addFeature } from '../../../flags/features/addFeature.ts'
import { type FeatureAtPath, readFeatureAt } from '../../../flags/features/readFeatureAt.ts'
import { listEnvironments } from '../../../flags/features/readFeatureContext.ts'
import { readFeatureState } from '../../../flags/features/readFeatureState.ts'
import { featureCommands } from '../../../flags/features/rules/featureCommands.ts'
import type { FeatureCommand } from '../../../flags/features/rules/model/featureCommand.ts'
import { toStaticConfiguration } from '../../../flags/features/rules/toStaticConfiguration.ts'
import { createFeatureSerializer, serializeFeature } from '../../../flags/features/serializeFeature.ts'
import { updateFeatureAt } from '../../../flags/features/updateFeature.ts'
import type { InspectProject, StalenessInspector } from '../../../insights/staleness/inspectProject.ts'
import { listByStaleness, stalenessPredicate } from '../../../insights/staleness/listByStaleness.ts'
import { toStaleness } from '../../../insights/staleness/toStaleness.ts'
import { createTimeSlices } from '../../../lib/time.ts'
import type { StoredFeature } from '../../../storage/resources/feature.ts'
import type { StoredProject } from '../../../storage/resources/project.ts'
import type { Page, Store } from '../../../storage/store.ts'
import type { Handlers, IfMatch, Revised } from '../shared/handler.ts'
import { serializeRevised } from '../shared/serializeRevised.ts'
import { toListQuery } from '../shared/toListQuery.ts'
import { withDryRun } from '../shared/withDryRun.ts'

interface Dependencies {
  readonly store: Store
  readonly edit: EditRunner
  readonly inspect: InspectProject
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

/** Handles features. */
export function features({ store, edit, inspect }: Dependencies): Pick<Handlers, Ids> {
  /** Updates a feature. Serialization follows the edit: it reads the event store and would delay other writes. */
  const updateAt = (
    caller: TokenCaller,
    { params, query, headers }: FeatureRequest,
    command: FeatureCommand
  ): Promise<FeatureAtPath> =>
    withDryRun(edit, query?.dryRun)(caller, (change) =>
      updateFeatureAt(change, params, { ...command, ifMatch: headers['if-match'] })
    )

  return {
    createFeature: async ({ params, body }, caller) => {
      const added = await edit(caller, async (change) => {
        const project = await getProject(change.store, params.project, caller)
        return addFeature(change, project, body)
      })
      return serializeRevised(store, inspect, added)
    },

    listFeatures: async ({ params, query }, caller) => {
      const project = await getProject(store, params.project, caller)
      const inspector = await inspect(store, project)
      const { items, count } = await list(store, inspector, project, query)
      const view = await createFeatureSerializer(store, async () => inspector, {
        project,
        caller,
        includeLatestUpdate: query.includeLatestUpdate
      })
      const slices = createTimeSlices()
      const views: Feature[] = []
      for (const feature of items) {
        await slices.yieldIfDue()
        views.push(await view(await readFeatureState(store, feature)))
      }
      return { items: views, count }
    },

    getFeature: async ({ params }, caller) =>
      serializeRevised(store, inspect, await readFeatureAt(store, params, caller)),

    updateFeature: async ({ body, ...request }, caller) =>
      serializeRevised(store, inspect, await updateAt(caller, request, featureCommands.updateFeature(body))),

    updateFeatureStatus: async ({ body, ...request }, caller) =>
      serializeRevised(store, inspect, await updateAt(caller, request, featureCommands.updateFeatureStatus(body))),

    getStaticConfiguration: async ({ params }, caller) =>
      serializeStaticConfiguration(store, inspect, await readFeatureAt(store, params, caller)),

    updateStaticConfiguration: async ({ body, ...request }, caller) =>
      serializeStaticConfiguration(
        store,
        inspect,
        await updateAt(caller, request, featureCommands.updateStaticConfiguration(body))
      ),

    getFeatureStaleness: async ({ params }, caller) =>
      serializeStaleness(store, inspect, await readFeatureAt(store, params, caller)),

    updateFeatureStaleness: async ({ body, ...request }, caller) =>
      serializeStaleness(store, inspect, await updateAt(caller, request, featureCommands.updateFeatureStaleness(body))),

    updateFeatureSummary: async ({ body, ...request }, caller) => {
      const { state, revision } = await updateAt(caller, request, featureCommands.updateFeatureSummary(body))
      return { revision, body: state.feature.summary }
    }
  }
}

/** The parts of a request that changes a feature, besides its body. */
interface FeatureRequest {
  readonly params: FeaturePath
  readonly query?: { readonly dryRun?: boolean | undefined }
  readonly headers: IfMatch
}

/** Lists the features that match a query. */
async function list(
  store: Store,
  inspector: StalenessInspector,
  project: StoredProject,
  query: Input<Operations['listFeatures']>['query']
): Promise<Page<StoredFeature>> {
  const { type, status, keys, staleness, includeLatestUpdate, ...paging } = query
  const where = { _project: project._id, ...omitUndefined({ type, status }) }
  const keyList = [keys ?? []].flat().flatMap((key) => key.split(','))
  const page = {
    ...toListQuery<StoredFeature>(paging, where, ['name', 'key', 'tags', 'description']),
    ...(keys === undefined ? {} : { oneOf: { key: keyList } })
  }
  if (staleness === undefined) return store.collection('features').list(page)
  return listByStaleness(store, inspector, page, stalenessPredicate(staleness))
}

async function serializeStaleness(
  store: Store,
  inspect: InspectProject,
  { project, state, revision }: FeatureAtPath
): Promise<Revised<FeatureStaleness>> {
  const { find, at } = await inspect(store, project)
  return { revision, body: toStaleness(state.feature, find(state), at) }
}

async function serializeStaticConfiguration(
  store: Store,
  inspect: InspectProject,
  found: FeatureAtPath
): Promise<Revised<StaticConfiguration>> {
  const body = toStaticConfiguration(
    found.state,
    await serializeFeature(store, inspect, found),
    found.environments ?? (await listEnvironments(store, found.project))
  )
  return { revision: found.revision, body }
}
