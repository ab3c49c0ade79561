import type { AuditLogChange, PreviewRequest } from '@burgee/contract/schemas'
import type { Edit, EditRunner } from '../../access/audit/edit.ts'
import { type FeaturePath, getFeature } from '../../access/lookup.ts'
import type { ParseBody } from '../../access/parseBody.ts'
import type { TokenCaller } from '../../access/permissions/caller.ts'
import { itemNotFound } from '../../lib/errors.ts'
import type { StoredFeature } from '../../storage/resources/feature.ts'
import { assertContentUnchanged } from '../approvals/toChangeRequest.ts'
import { dryRun } from '../changeRequests/dryRun.ts'
import { rethrowAsPreconditionFailed, toRequestedCommand } from '../changeRequests/executeRequestedChange.ts'
import { isProjectOperation } from '../changeRequests/project/projectCommands.ts'
import { featureCommands } from '../features/rules/featureCommands.ts'
import type { FeatureCommand } from '../features/rules/model/featureCommand.ts'
import type { FeatureState } from '../features/rules/model/featureState.ts'
import { updateFeature } from '../features/updateFeature.ts'

/** A feature as a change would leave it, and the changes themselves. */
export interface DraftedFeature {
  readonly state: FeatureState
  readonly changes: readonly AuditLogChange[]
}

type Requested = Pick<PreviewRequest, 'update' | 'changeRequest'>

/**
 * Applies an update, or the change of a change request, to a feature and rolls it back. New targets get ids that are
 * never stored, so they divide users differently from the stored ones.
 * @throws {HttpError} the errors of the update, except for missing permissions and approvals; 412 for a change request
 * whose change is no longer possible, or whose content differs from what the caller read.
 */
export function draftFeature(
  { edit, validate }: { readonly edit: EditRunner; readonly validate: ParseBody },
  caller: TokenCaller,
  path: FeaturePath,
  { update = {}, changeRequest }: Requested
): Promise<DraftedFeature> {
  return edit(caller, async (change) => {
    const { project, feature } = await getFeature(change.store, path, caller)
    const command = changeRequest
      ? await findRequestedCommand(change, feature, changeRequest, validate)
      : featureCommands.updateFeature(update)
    const policy = changeRequest ? 'requestPreview' : 'preview'
    const running = dryRun(change, { project, feature, maker: caller.id }, (part) =>
      updateFeature(part, project, feature._id, command, policy)
    )
    const { result, changes } = await (changeRequest ? running.catch(rethrowAsPreconditionFailed) : running)
    return { state: result.state, changes }
  })
}

async function findRequestedCommand(
  { store }: Edit,
  feature: StoredFeature,
  { id, contentHash }: NonNullable<PreviewRequest['changeRequest']>,
  validate: ParseBody
): Promise<FeatureCommand> {
  const request = await store.collection('changeRequests').get({ _id: id, _feature: feature._id })
  if (!request || isProjectOperation(request.operation)) {
    throw itemNotFound('change request', id, { within: `feature "${feature.key}"` })
  }
  assertContentUnchanged(request, contentHash)
  return toRequestedCommand({ operation: request.operation, body: request.body }, validate)
}
