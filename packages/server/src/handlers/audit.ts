import type { MakeEdit } from '../audit/edit.ts'
import { listEntries } from '../audit/entries.ts'
import { changeFeatureAt } from '../features/changeFeature.ts'
import { readFeatureAt } from '../features/readFeatureAt.ts'
import { revertFeature } from '../features/revert.ts'
import type { Rule } from '../features/rules/featureChange.ts'
import { killFeature } from '../features/rules/kill.ts'
import { saveFeature } from '../features/save.ts'
import { showFeature } from '../features/showFeature.ts'
import { findIn, findProject } from '../find.ts'
import type { Inspect } from '../staleness/inspect.ts'
import type { Store } from '../store/store.ts'
import type { Handlers } from './handler.ts'

interface Dependencies {
  readonly store: Store
  readonly edit: MakeEdit
  readonly inspect: Inspect
}

/** Tells what happened to features, takes it back, and switches them off. */
export function audit({
  store,
  edit,
  inspect
}: Dependencies): Pick<Handlers, 'getFeatureAudit' | 'revertFeature' | 'killFeature'> {
  return {
    getFeatureAudit: async ({ params, query }, caller) => {
      const project = await findProject(store, params.project, caller)
      const { _id: _feature } = await findIn(store, 'features', project, params.feature)
      const { environment: reference } = query
      const environment = reference === undefined ? undefined : await findIn(store, 'environments', project, reference)
      return listEntries(store, { _feature }, query, { _environment: environment?._id })
    },

    revertFeature: async ({ params }, caller) => {
      const reverted = await edit(caller, (change) => {
        const rule: Rule = (state) => revertFeature(change.store, state, params.entry)
        return changeFeatureAt(change, params, { rule })
      })
      return showFeature(store, inspect, reverted)
    },

    killFeature: async ({ params }, caller) => {
      const killed = await edit(caller, async (change) => {
        // Unlike other changes, this one waits for no approval.
        const { project, state } = await readFeatureAt(change.store, params, caller)
        return { project, caller, state: await saveFeature(change, state, killFeature(state)) }
      })
      return showFeature(store, inspect, killed)
    }
  }
}
