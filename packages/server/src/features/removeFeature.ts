import { deleted } from '../audit/changes.ts'
import type { Edit } from '../audit/edit.ts'
import { removeAll } from '../store/removeAll.ts'
import { withoutSecrets } from '../webhooks/withoutSecrets.ts'
import { environmentsOf } from './readContext.ts'
import { wholeOf } from './rules/changes.ts'
import type { FeatureState } from './rules/featureState.ts'
import { demandPublishing } from './rules/publishing.ts'
import { freed } from './rules/variables.ts'

/**
 * Removes a feature and all that is its own, but for the history; that it was removed is told among the changes of the
 * project. Its variables go with it, or are free again.
 * @throws {ApiError} 403 when it is taken from users of a protected environment by somebody who may not publish.
 */
export async function removeFeature(
  edit: Edit,
  state: FeatureState,
  { deleteVariables }: { readonly deleteVariables: boolean }
): Promise<void> {
  const { store, caller, at, note } = edit
  const { _id: _feature, _project } = state.feature
  const environments = await environmentsOf(store, { _id: _project })
  demandPublishing(caller, { before: state, after: { ...state, configurations: [] }, environments })
  for (const name of belongings) await removeAll(store, name, { _feature })
  const variables = store.collection('variables')
  for (const variable of state.variables) {
    if (deleteVariables) await variables.remove(variable._id)
    else await variables.update(variable._id, { ...freed(variable), _feature: undefined, updatedAt: at })
  }
  await store.collection('features').remove(_feature)
  note({ _project }, [deleted('Feature', wholeOf(state))])
  await removeWebhooks(edit, state)
}

const belongings = ['configurations', 'overrides', 'metricAssociations', 'issueLinks', 'changeRequests'] as const

/** A webhook of this feature alone goes with it: one without a feature would be told of them all. */
async function removeWebhooks({ store, note }: Edit, { feature: { _id: _feature, _project } }: FeatureState) {
  const webhooks = store.collection('webhooks')
  const { items } = await webhooks.list({ where: { _project, _feature } })
  for (const webhook of items) {
    await webhooks.remove(webhook._id)
    note({ _project }, withoutSecrets([deleted('Webhook', webhook)]))
  }
}
