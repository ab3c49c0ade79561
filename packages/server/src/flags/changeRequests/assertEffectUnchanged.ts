import type { Edit } from '../../access/audit/edit.ts'
import { conflict } from '../../lib/errors.ts'
import type { ParseBody } from '../../lib/parseBody.ts'
import { formatRequestLine } from '../approvals/formatRequestLine.ts'
import type { ChangeRequestContext } from '../approvals/transitions.ts'
import { dryRun } from './dryRun.ts'
import { executeRequestedChange, rethrowAsPreconditionFailed } from './executeRequestedChange.ts'

/**
 * Demands that a change request would still do what it would when it was made: what it names can be something else by now.
 * @throws {ApiError} 409 when it would do something else, 412 when the change cannot be made any more.
 */
export async function assertEffectUnchanged(
  change: Edit,
  subject: ChangeRequestContext,
  validate: ParseBody
): Promise<void> {
  const { project, feature, request } = subject
  // One from before effects were kept: it holds no approval, so whoever goes on with it needs none.
  if (request.effect === undefined) return
  const rehearsed = { feature, maker: request._createdBy }
  const asked = { ...request, project, feature }
  const { effect } = await dryRun(change, rehearsed, (part) => executeRequestedChange(part, asked, validate)).catch(
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
