import { guardEnd } from '../approval/guard.ts'
import { created, deleted } from '../audit/changes.ts'
import type { MakeEdit } from '../audit/edit.ts'
import { itemNotFound } from '../errors.ts'
import { addFeature } from '../features/addFeature.ts'
import { readFeatureAt } from '../features/readFeatureAt.ts'
import { removeFeature } from '../features/removeFeature.ts'
import type { FeatureState } from '../features/rules/featureState.ts'
import { featureView } from '../features/showFeature.ts'
import { findIn, findProject } from '../find.ts'
import type { Inspect } from '../staleness/inspect.ts'
import type { Store } from '../store/store.ts'
import { features } from './features.ts'
import type { Handlers } from './handler.ts'

interface Dependencies {
  readonly store: Store
  readonly edit: MakeEdit
  readonly inspect: Inspect
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

/** The features of before, which are those of today at their old places, and what has no new place. */
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
        const project = await findProject(change.store, params.project, caller)
        const states: FeatureState[] = []
        for (const item of body) {
          // A key alone stands for a feature of that name.
          const feature = typeof item === 'string' ? { key: item, name: item } : item
          states.push(await addFeature(change, project, feature))
        }
        return { project, states }
      })
      return Promise.all(states.map(await featureView(store, inspect, { project, caller })))
    },

    deleteFeature: ({ params, query }, caller) =>
      edit(caller, async (change) => {
        const { project, state } = await readFeatureAt(change.store, params, caller)
        await guardEnd(change.store, project, state, caller)
        await removeFeature(change, state, { deleteVariables: query.deleteVariables ?? false })
      }),

    linkIssue: ({ params, body }, caller) =>
      edit(caller, async ({ store, stamps, note }) => {
        const project = await findProject(store, params.project, caller)
        const feature = await findIn(store, 'features', project, params.feature)
        const subject = { _project: project._id, _feature: feature._id }
        const link = { ...stamps(), ...subject, tracker: params.issue_tracker, issueId: body.issueId }
        await store.collection('issueLinks').insert(link)
        note(subject, [created('IssueLink', link)])
        return { issueId: link.issueId }
      }),

    listIssues: async ({ params }, caller) => {
      const project = await findProject(store, params.project, caller)
      const { _id: _feature } = await findIn(store, 'features', project, params.feature)
      const where = { _feature, tracker: params.issue_tracker }
      const { items } = await store.collection('issueLinks').list({ where, sortBy: 'createdAt' })
      return items.map(({ issueId }) => ({ issueId }))
    },

    unlinkIssue: ({ params }, caller) =>
      edit(caller, async ({ store, note }) => {
        const project = await findProject(store, params.project, caller)
        const { _id: _feature } = await findIn(store, 'features', project, params.feature)
        const issueLinks = store.collection('issueLinks')
        const link = await issueLinks.get({ _feature, tracker: params.issue_tracker, issueId: params.issue_id })
        if (!link) throw itemNotFound(params.issue_id)
        await issueLinks.remove(link._id)
        note({ _project: project._id, _feature }, [deleted('IssueLink', link)])
      })
  }
}
