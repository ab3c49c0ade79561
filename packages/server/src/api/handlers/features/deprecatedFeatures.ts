import type { EditRunner } from '../../../access/audit/edit.ts'
import { assertFeatureRevision } from '../../../access/audit/revision.ts'
import { getProject } from '../../../access/lookup.ts'
import { addFeature } from '../../../flags/features/addFeature.ts'
import { readFeatureAt } from '../../../flags/features/readFeatureAt.ts'
import { removeFeature } from '../../../flags/features/removeFeature.ts'
import type { FeatureState } from '../../../flags/features/rules/model/featureState.ts'
import { createFeatureSerializer } from '../../../flags/features/serializeFeature.ts'
import type { InspectProject } from '../../../insights/staleness/inspectProject.ts'
import { linkIssue, listIssues, unlinkIssue } from '../../../integrations/issueTrackers/issueLinks.ts'
import type { Store } from '../../../storage/store.ts'
import type { Handlers } from '../shared/handler.ts'
import { withDryRun } from '../shared/withDryRun.ts'
import { features } from './features.ts'

interface Dependencies {
  readonly store: Store
  readonly edit: EditRunner
  readonly inspect: InspectProject
}

type Ids =
  | 'createFeatureV1'
  | 'createFeatures'
  | 'listFeaturesV1'
  | 'getFeatureV1'
  | 'updateFeatureV1'
  | 'deleteFeature'
  | 'updateFeatureStatusV1'
  | 'getStaticConfigurationV1'
  | 'updateStaticConfigurationV1'
  | 'linkIssue'
  | 'listIssues'
  | 'unlinkIssue'

/** Handles the deprecated operations of features, most of which are aliases of current ones. */
export function deprecatedFeatures(dependencies: Dependencies): Pick<Handlers, Ids> {
  const { store, edit, inspect } = dependencies
  const current = features(dependencies)
  return {
    createFeatureV1: current.createFeature,
    listFeaturesV1: current.listFeatures,
    getFeatureV1: current.getFeature,
    updateFeatureV1: current.updateFeature,
    updateFeatureStatusV1: current.updateFeatureStatus,
    getStaticConfigurationV1: current.getStaticConfiguration,
    updateStaticConfigurationV1: current.updateStaticConfiguration,

    createFeatures: async ({ params, body }, caller) => {
      const { project, states } = await edit(caller, async (change) => {
        const project = await getProject(change.store, params.project, caller)
        const states: FeatureState[] = []
        for (const item of body) {
          // A string is the key and the name of a feature.
          const feature = typeof item === 'string' ? { key: item, name: item } : item
          states.push((await addFeature(change, project, feature)).state)
        }
        return { project, states }
      })
      return Promise.all(states.map(await createFeatureSerializer(store, inspect, { project, caller })))
    },

    deleteFeature: ({ params, query, headers }, caller) =>
      withDryRun(edit, query.dryRun)(caller, async (change) => {
        const feature = await readFeatureAt(change.store, params, caller)
        await assertFeatureRevision(change, feature.state.feature, { ifMatch: headers['if-match'], caller })
        await removeFeature(change, feature, { deleteVariables: query.deleteVariables ?? false })
      }),

    linkIssue: ({ params, body }, caller) => edit(caller, (change) => linkIssue(change, params, body)),

    listIssues: ({ params }, caller) => listIssues(store, params, caller),

    unlinkIssue: ({ params }, caller) => edit(caller, (change) => unlinkIssue(change, params))
  }
}
