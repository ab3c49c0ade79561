import { callOf } from '../approval/callOf.ts'
import type { Subject } from '../approval/subject.ts'
import type { Edit } from '../audit/edit.ts'
import { conflict } from '../errors.ts'
import type { Validate } from '../validate.ts'
import { asPrecondition } from './asPrecondition.ts'
import { perform } from './perform.ts'
import { rehearse } from './rehearse.ts'

/**
 * Demands that a change request would still do what it would when it was made: what it names can be something else by now.
 * @throws {ApiError} 409 when it would do something else, 412 when the change cannot be made any more.
 */
export async function demandSameEffect(change: Edit, subject: Subject, validate: Validate): Promise<void> {
  const { project, feature, request } = subject
  // One from before effects were kept: it holds no approval, so whoever goes on with it needs none.
  if (request.effect === undefined) return
  const rehearsed = { feature, maker: request._createdBy }
  const asked = { ...request, project, feature }
  const { effect } = await rehearse(change, rehearsed, (part) => perform(part, asked, validate)).catch(asPrecondition)
  if (effect === request.effect) return
  const rebase = callOf('rebaseChangeRequest', { project: project.key, feature: feature.key, id: request._id })
  throw conflict(
    `change request ${request._id} would do something else now than when it was made: an environment, an audience, a variable or a setting of project "${project.key}" that it depends on has changed since. ${rebase} makes it a draft of what it does now, to be approved again`,
    'ERR_EFFECT_CHANGED'
  )
}
