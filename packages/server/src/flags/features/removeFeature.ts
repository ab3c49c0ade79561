import { deletedChange } from '../../access/audit/changes.ts'
import type { Edit } from '../../access/audit/edit.ts'
import { maskWebhookUrls } from '../../access/audit/maskWebhookUrls.ts'
import { removeAll } from '../../storage/removeAll.ts'
import type { StoredProject } from '../../storage/resources/project.ts'
import { assertDirectRemovalAllowed } from '../approvals/assertDirectChangeAllowed.ts'
import { listEnvironments } from './readFeatureContext.ts'
import { featureContents } from './rules/featureAuditChanges.ts'
import { diffFeature } from './rules/model/featureDiff.ts'
import { detachVariable, type FeatureState } from './rules/model/featureState.ts'
import { assertCanPublish } from './rules/publishPermission.ts'

/**
 * Removes a feature and everything that belongs to it, except for its audit log. The audit entry of the removal belongs
 * to the project. Variables are removed or detached.
 * @throws {HttpError} 403 when it needs approval or `feature:publish`, 409 when a change request locks the feature.
 */
export async function removeFeature(
  edit: Edit,
  { project, state }: { readonly project: StoredProject; readonly state: FeatureState },
  { deleteVariables }: { readonly deleteVariables: boolean }
): Promise<void> {
  const { store, caller, at, recordChanges } = edit
  const { _id: _feature, _project } = state.feature
  const environments = await listEnvironments(store, { _id: _project })
  await assertDirectRemovalAllowed(store, { state, environments }, { project, caller })
  const after = { ...state, configurations: [], variables: [] }
  assertCanPublish(caller, diffFeature({ before: state, after, environments }))
  for (const name of ownedCollections) await removeAll(store, name, { _feature })
  const variables = store.collection('variables')
  for (const variable of state.variables) {
    if (deleteVariables) await variables.remove(variable._id)
    else await variables.update(variable._id, { ...detachVariable(variable), _feature: undefined, updatedAt: at })
  }
  await store.collection('features').remove(_feature)
  recordChanges({ _project }, [deletedChange('Feature', featureContents(state))])
  await removeWebhooks(edit, state)
}

const ownedCollections = ['configurations', 'overrides', 'metricAssociations', 'issueLinks', 'changeRequests'] as const

/** Removes webhooks of this feature. Without `_feature`, they would receive events of all features. */
async function removeWebhooks({ store, recordChanges }: Edit, { feature: { _id: _feature, _project } }: FeatureState) {
  const webhooks = store.collection('webhooks')
  const { items } = await webhooks.list({ where: { _project, _feature } })
  for (const webhook of items) {
    await webhooks.remove(webhook._id)
    recordChanges({ _project }, maskWebhookUrls([deletedChange('Webhook', webhook)]))
  }
}
