import { omitUndefined } from '@burgee/kit'
import { createdChange } from '../../access/audit/changes.ts'
import type { Edit } from '../../access/audit/edit.ts'
import type { ParseBody } from '../../access/parseBody.ts'
import { conflict } from '../../lib/errors.ts'
import type { StoredChangeRequest } from '../../storage/resources/history.ts'
import { findOpenRequest } from '../approvals/openRequests.ts'
import { draftChangeRequest } from './draftChangeRequest.ts'
import type { RequestedChange } from './executeRequestedChange.ts'
import type { RequestedOperation } from './project/projectCommands.ts'

/**
 * Creates a draft of the caller.
 * @throws {HttpError} 409 when the feature has an open change request; otherwise as the change itself would.
 */
export async function createChangeRequest(
  change: Edit,
  requested: RequestedChange & Partial<RequestedOperation>,
  validate: ParseBody
): Promise<StoredChangeRequest> {
  const { operation, project, feature, _target, method, path } = requested
  const open = feature && (await findOpenRequest(change.store, feature))
  if (open) throw conflict(`feature "${feature.key}" has a change request that is ${open.status}: ${open._id}`)
  const request: StoredChangeRequest = {
    ...change.recordFields(),
    ...(await draftChangeRequest(change, requested, validate)),
    _project: project._id,
    ...omitUndefined({ _feature: feature?._id, _target, method, path }),
    status: 'draft',
    operation,
    reviewers: { users: [] },
    reviews: [],
    _createdBy: change.caller.id,
    ...omitUndefined({ assistant: change.caller.assistant })
  }
  change.recordChanges({ _project: project._id }, [createdChange('ChangeRequest', request)])
  return change.store.collection('changeRequests').insert(request)
}
