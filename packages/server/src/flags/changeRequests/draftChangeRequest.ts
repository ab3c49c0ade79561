import { omitUndefined } from '@burgee/kit'
import type { Edit } from '../../access/audit/edit.ts'
import type { ParseBody } from '../../access/parseBody.ts'
import { findRoot } from '../../access/permissions/findRoot.ts'
import type { StoredChangeRequest } from '../../storage/resources/history.ts'
import { dryRun } from './dryRun.ts'
import { executeRequestedChange, type RequestedChange } from './executeRequestedChange.ts'
import { readSnapshotId } from './featureSnapshot.ts'

/** The members of a change request that depend on its body, on its author and on the state of what it changes. */
export type ChangeRequestDraft = Pick<
  StoredChangeRequest,
  '_baseFeatureSnapshot' | 'body' | 'changes' | '_clientMaker' | 'clientId'
> &
  Required<Pick<StoredChangeRequest, 'effect'>>

/**
 * Drafts a change request of the caller from the current state of the feature or project. Fails with the error that the
 * change itself would have.
 */
export async function draftChangeRequest(
  change: Edit,
  requested: RequestedChange,
  validate: ParseBody
): Promise<ChangeRequestDraft> {
  const { project, feature, body } = requested
  const { store, caller } = change
  const options = { project, feature, maker: caller.id }
  const { changes, hashEffect } = await dryRun(change, options, (part) =>
    executeRequestedChange(part, requested, validate)
  )
  const root = await findRoot(store, caller.id)
  const author = omitUndefined({ _clientMaker: root === caller.id ? undefined : root, clientId: caller.clientId })
  const snapshot = feature ? { _baseFeatureSnapshot: await readSnapshotId(store, feature) } : {}
  return { ...snapshot, body, changes: [...changes], effect: hashEffect(), ...author }
}
