import { omitUndefined } from '@burgee/kit'
import type { Edit } from '../../access/audit/edit.ts'
import type { ParseBody } from '../../access/parseBody.ts'
import type { StoredChangeRequest } from '../../storage/resources/history.ts'
import { dryRun } from './dryRun.ts'
import { executeRequestedChange, type RequestedChange } from './executeRequestedChange.ts'
import { readSnapshotId } from './featureSnapshot.ts'

/** The members of a change request that depend on its body and on the state of the feature. */
export type ChangeRequestDraft = Pick<StoredChangeRequest, '_baseFeatureSnapshot' | 'body' | 'changes'> &
  Required<Pick<StoredChangeRequest, 'effect'>> &
  Pick<StoredChangeRequest, '_clientMaker'>

/**
 * Drafts a change request of the caller from the current state of the feature. Fails with the error that the change
 * itself would have.
 */
export async function draftChangeRequest(
  change: Edit,
  requested: RequestedChange,
  validate: ParseBody
): Promise<ChangeRequestDraft> {
  const options = { feature: requested.feature, maker: change.caller.id }
  const { changes, effect } = await dryRun(change, options, (part) => executeRequestedChange(part, requested, validate))
  const _baseFeatureSnapshot = await readSnapshotId(change.store, requested.feature)
  const maker = omitUndefined({ _clientMaker: change.caller.createdBy })
  return { _baseFeatureSnapshot, body: requested.body, changes: [...changes], effect, ...maker }
}
