import type { EditRunner } from '../../../access/audit/edit.ts'
import { getInProject, getProject } from '../../../access/lookup.ts'
import { readFeatureAt } from '../../../flags/features/readFeatureAt.ts'
import { listEnvironments } from '../../../flags/features/readFeatureContext.ts'
import { applyConfigurationUpdate } from '../../../flags/features/rules/applyFeatureUpdate.ts'
import type { FeatureUpdater } from '../../../flags/features/rules/model/featureCommand.ts'
import { toConfiguration } from '../../../flags/features/rules/toFeature.ts'
import { updateFeatureAt } from '../../../flags/features/updateFeature.ts'
import type { Store } from '../../../storage/store.ts'
import type { Handlers } from '../shared/handler.ts'

interface Dependencies {
  readonly store: Store
  readonly edit: EditRunner
}

/** Handles the configurations of features. */
export function featureConfigurations({
  store,
  edit
}: Dependencies): Pick<Handlers, 'listFeatureConfigurations' | 'updateFeatureConfiguration'> {
  return {
    listFeatureConfigurations: async ({ params, query }, caller) => {
      const { project, state, revision } = await readFeatureAt(store, params, caller)
      const environments =
        query.environment === undefined
          ? await listEnvironments(store, project)
          : [await getInProject(store, 'environments', project, query.environment, caller)]
      return { revision, body: environments.map((environment) => toConfiguration(state, environment, caller)) }
    },

    updateFeatureConfiguration: ({ params, query, headers, body }, caller) =>
      edit(caller, async (change) => {
        const project = await getProject(change.store, params.project, caller)
        const environment = await getInProject(change.store, 'environments', project, query.environment, caller)
        const update: FeatureUpdater = (state, context) => applyConfigurationUpdate(state, environment, body, context)
        const references = { configurations: { [environment.key]: body } }
        const command = { update, references, ifMatch: headers['if-match'] }
        const { state, revision } = await updateFeatureAt(change, params, command)
        return { revision, body: toConfiguration(state, environment, caller) }
      })
  }
}
