import type { Edit } from '../../access/audit/edit.ts'
import type { ParseBody } from '../../access/parseBody.ts'
import { refused } from '../../access/permissions/managementError.ts'
import { formatChangeRequestLine } from '../approvals/formatRequestLine.ts'
import type { ChangeRequestContext } from '../approvals/transitions.ts'
import { dryRun } from './dryRun.ts'
import { executeRequestedChange, rethrowAsPreconditionFailed } from './executeRequestedChange.ts'

/**
 * Asserts that a change request still has the effect that it had when it was created: the resources that it names can
 * have changed since.
 * @throws {HttpError} 409 when the effect differs, 412 when the change is no longer possible.
 */
export async function assertEffectUnchanged(
  change: Edit,
  subject: ChangeRequestContext,
  validate: ParseBody
): Promise<void> {
  const { project, feature, request } = subject
  // Stored before effects were recorded. Such a request has no valid approval, so the caller bypasses approval.
  if (request.effect === undefined) return
  const options = { project, feature, maker: request._createdBy }
  const requested = { ...request, project, feature }
  const { hashEffect } = await dryRun(change, options, (part) =>
    executeRequestedChange(part, requested, validate)
  ).catch(rethrowAsPreconditionFailed)
  if (hashEffect() === request.effect) return
  const rebase = formatChangeRequestLine('rebase', subject)
  throw refused(
    'ERR_EFFECT_CHANGED',
    `the effect of change request ${request._id} is no longer the one that was requested: an environment, an audience, a variable or a setting of project "${project.key}" that it depends on has changed since. ${rebase} turns it into a draft with the current effect, which needs a new approval`
  )
}
