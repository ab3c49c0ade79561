import type { Edit } from '../../access/audit/edit.ts'
import type { ParseBody } from '../../access/parseBody.ts'
import { omitUndefined } from '../../lib/object.ts'
import type { StoredChangeRequest } from '../../storage/resources.ts'
import { dryRun } from './dryRun.ts'
import { executeRequestedChange, type RequestedChange } from './executeRequestedChange.ts'
import { readSnapshotId } from './featureSnapshot.ts'

/** The members of a change request that depend on its body and on the state of the feature. */
export type ChangeRequestDraft = Pick<StoredChangeRequest, '_baseFeatureSnapshot' | 'body' | 'changes'> &
  Required<Pick<StoredChangeRequest, 'effect'>> &
  Pick<StoredChangeRequest, '_clientMaker'>

/** Drafts a change request of the caller from the present state of the feature. Fails as the change would. */
export async function draftChangeRequest(
  change: Edit,
  asked: RequestedChange,
  validate: ParseBody
): Promise<ChangeRequestDraft> {
  const options = { feature: asked.feature, maker: change.caller.id }
  const { changes, effect } = await dryRun(change, options, (part) => executeRequestedChange(part, asked, validate))
  const _baseFeatureSnapshot = await readSnapshotId(change.store, asked.feature)
  const maker = omitUndefined({ _clientMaker: change.caller.createdBy })
  return { _baseFeatureSnapshot, body: asked.body, changes: [...changes], effect, ...maker }
}
