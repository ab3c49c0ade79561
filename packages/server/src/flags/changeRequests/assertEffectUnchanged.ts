import type { Edit } from '../../access/audit/edit.ts'
import type { ParseBody } from '../../access/parseBody.ts'
import { conflict } from '../../lib/errors.ts'
import { formatRequestLine } from '../approvals/formatRequestLine.ts'
import type { ChangeRequestContext } from '../approvals/transitions.ts'
import { dryRun } from './dryRun.ts'
import { executeRequestedChange, rethrowAsPreconditionFailed } from './executeRequestedChange.ts'

/**
 * Asserts that a change request still has the effect that it had when it was made: its names can mean something else now.
 * @throws {ApiError} 409 when the effect is another one, 412 when the change is not possible any more.
 */
export async function assertEffectUnchanged(
  change: Edit,
  subject: ChangeRequestContext,
  validate: ParseBody
): Promise<void> {
  const { project, feature, request } = subject
  // A request without an effect is older than effects. It has no valid approval, so only a bypassing caller gets here.
  if (request.effect === undefined) return
  const options = { feature, maker: request._createdBy }
  const asked = { ...request, project, feature }
  const { effect } = await dryRun(change, options, (part) => executeRequestedChange(part, asked, validate)).catch(
    rethrowAsPreconditionFailed
  )
  if (effect === request.effect) return
  const rebase = formatRequestLine('rebaseChangeRequest', {
    project: project.key,
    feature: feature.key,
    id: request._id
  })
  throw conflict(
    `change request ${request._id} would do something else now than when it was made: an environment, an audience, a variable or a setting of project "${project.key}" that it depends on has changed since. ${rebase} makes it a draft of what it does now, to be approved again`,
    'ERR_EFFECT_CHANGED'
  )
}
