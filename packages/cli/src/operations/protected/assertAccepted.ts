import { ApiError } from '@burgee/contract/client'
import type { UpdateFeature } from '@burgee/contract/schemas'
import type { OperationRequest } from '../../manifest/operationRequest.ts'
import { ConflictError } from '../../run/failures/errors.ts'
import { lockHint } from '../../run/failures/toFailure.ts'
import type { Session } from '../../run/session.ts'

type FeatureSession = Pick<Session, 'client' | 'project' | 'suggest'>

/**
 * Asserts that the server would accept an update of a feature, before a person is asked to confirm it. Approvals are
 * not checked. @throws {ApiError} as the update would
 */
export async function assertUpdatable(
  { client, project }: FeatureSession,
  feature: string,
  update: UpdateFeature
): Promise<void> {
  const params = { project: project(), feature }
  // One user, since only the refusal counts.
  await client.previewFeature({ params, body: { update, sample: { size: 1 } } }).catch((error: unknown) => {
    // The update itself reports other errors.
    if (error instanceof ApiError && [400, 409, 412].includes(error.status)) throw error
  })
}

/** Asserts that no change request locks a feature. @throws {ConflictError} with the commands that end the lock */
export async function assertUnlocked({ client, project, suggest }: FeatureSession, feature: string): Promise<void> {
  const params = { project: project(), feature }
  // Refused where no approval is required.
  const [open] = await client.listPendingChangeRequests({ params }).catch(() => [])
  if (!open) return
  const { _id: id, status } = open
  throw new ConflictError(`feature "${feature}" is locked by change request ${id}, which is ${status}`, {
    hint: lockHint({ id, isApproved: status === 'approved' }, suggest)
  })
}

/** Asserts by a dry run that the server would accept a request. @throws {ApiError} the error of the request. */
export async function assertDryRun(
  { call }: Pick<Session, 'call'>,
  operation: string,
  request: OperationRequest
): Promise<void> {
  await call(operation, { ...request, query: { ...request.query, dryRun: 'true' } })
}

/** Asserts that what a feature serves in protected environments changes without approval. @throws {ApiError} 403 */
export async function assertNeedsNoApproval(
  { client, project }: FeatureSession,
  feature: string,
  operation: string
): Promise<void> {
  const { settings } = await client.getProject({ params: { key: project() } })
  const { enabled, allowPublisherBypass } = settings.featureApprovalWorkflow
  // Only the server knows whether this person may bypass it.
  if (!enabled || allowPublisherBypass) return
  const message = `changes of feature "${feature}" that affect protected environments need approval`
  // The same error as the request would get.
  throw new ApiError(operation, 403, { message, errorType: 'ERR_APPROVAL_REQUIRED' })
}
