import type { AuditLogChange, UpdateFeature } from '@burgee/contract/schemas'
import type { EditRunner } from '../../access/audit/edit.ts'
import { type FeaturePath, getFeature } from '../../access/lookup.ts'
import type { TokenCaller } from '../../access/permissions/caller.ts'
import { dryRun } from '../changeRequests/dryRun.ts'
import { featureCommands } from '../features/rules/featureCommands.ts'
import type { FeatureState } from '../features/rules/model/featureState.ts'
import { updateFeature } from '../features/updateFeature.ts'

/** A feature as an update would leave it, and the changes of the update. */
export interface DraftedFeature {
  readonly state: FeatureState
  readonly changes: readonly AuditLogChange[]
}

/**
 * Applies an update to a feature and rolls it back. New targets get ids that are never stored, so they divide users in
 * another way than the stored ones will.
 * @throws {HttpError} the errors of the update, except for missing permissions and approvals.
 */
export function draftFeature(
  edit: EditRunner,
  caller: TokenCaller,
  path: FeaturePath,
  body: UpdateFeature
): Promise<DraftedFeature> {
  return edit(caller, async (change) => {
    const { project, feature } = await getFeature(change.store, path, caller)
    let state: FeatureState | undefined
    const { changes } = await dryRun(change, { project, feature, maker: caller.id }, async (part) => {
      const command = featureCommands.updateFeature(body)
      state = (await updateFeature(part, project, feature._id, command, 'preview')).state
    })
    if (!state) throw new Error('the dry run did not run')
    return { state, changes }
  })
}
