import type { MakeEdit } from '../audit/edit.ts'
import { changeFeatureAt } from '../features/changeFeature.ts'
import { environmentsOf } from '../features/readContext.ts'
import { readFeatureAt } from '../features/readFeatureAt.ts'
import type { Rule } from '../features/rules/featureChange.ts'
import { toConfiguration } from '../features/rules/toFeature.ts'
import { updateConfiguration } from '../features/rules/update.ts'
import { findIn, findProject } from '../find.ts'
import type { Store } from '../store/store.ts'
import type { Handlers } from './handler.ts'

interface Dependencies {
  readonly store: Store
  readonly edit: MakeEdit
}

/** Keeps what features do in each environment. */
export function featureConfigurations({
  store,
  edit
}: Dependencies): Pick<Handlers, 'listFeatureConfigurations' | 'updateFeatureConfiguration'> {
  return {
    listFeatureConfigurations: async ({ params, query }, caller) => {
      const { project, state } = await readFeatureAt(store, params, caller)
      const environments =
        query.environment === undefined
          ? await environmentsOf(store, project)
          : [await findIn(store, 'environments', project, query.environment)]
      return environments.map((environment) => toConfiguration(state, environment, caller))
    },

    updateFeatureConfiguration: ({ params, query, body }, caller) =>
      edit(caller, async (change) => {
        const project = await findProject(change.store, params.project, caller)
        const environment = await findIn(change.store, 'environments', project, query.environment)
        const rule: Rule = (state, context) => updateConfiguration(state, environment, body, context)
        const naming = { configurations: { [environment.key]: body } }
        const { state } = await changeFeatureAt(change, params, { rule, naming })
        return toConfiguration(state, environment, caller)
      })
  }
}
