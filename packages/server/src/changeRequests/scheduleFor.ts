import { show } from '@burgee/contract'
import { demandApproval } from '../approval/demandApproval.ts'
import type { Subject } from '../approval/subject.ts'
import type { Edit } from '../audit/edit.ts'
import { invalid } from '../errors.ts'
import { given } from '../given.ts'
import { inUtc } from '../inUtc.ts'
import type { Validate } from '../validate.ts'
import { demandSameEffect } from './effect.ts'
import { move } from './move.ts'
import { demandUnchanged } from './snapshot.ts'

/**
 * Says when a change request is applied for the caller; null for not by itself.
 * @throws {ApiError} 400 when that is not in the future, and what would keep it from being applied now.
 */
export async function scheduleFor(
  change: Edit,
  subject: Subject,
  applyAt: string | null,
  validate: Validate
): Promise<Subject> {
  if (applyAt === null) return move(change, subject, 'schedule')
  const moment = inUtc(applyAt)
  if (moment <= change.at) throw invalid(`applyAt should be after ${change.at}, which is now, got ${show(applyAt)}`)
  const { id, actor, clientId } = change.caller
  const through = actor === 'client' ? {} : given({ _scheduledThrough: clientId })
  const members = { applyAt: moment, _scheduledBy: id, ...through }
  const scheduled = await move(change, subject, 'schedule', () => members)
  await demandApproval(change.store, subject, change.caller)
  await demandUnchanged(change.store, subject)
  await demandSameEffect(change, subject, validate)
  return scheduled
}
