import { omitUndefined } from '@burgee/kit'
import { formatValue } from '@burgee/kit/text'
import type { Edit } from '../../access/audit/edit.ts'
import type { ParseBody } from '../../access/parseBody.ts'
import { badRequest, forbidden } from '../../lib/errors.ts'
import { toIsoString } from '../../lib/time.ts'
import { assertApproved } from '../approvals/assertApproved.ts'
import type { ChangeRequestContext } from '../approvals/transitions.ts'
import { assertEffectUnchanged } from './assertEffectUnchanged.ts'
import { assertFeatureUnchanged } from './featureSnapshot.ts'
import { transitionChangeRequest } from './transitionChangeRequest.ts'

/**
 * Schedules a change request; null ends its schedule.
 * @throws {HttpError} 400 when the time is not in the future, 403 for a workload; otherwise as applying it now would.
 */
export async function scheduleChangeRequest(
  change: Edit,
  subject: ChangeRequestContext,
  applyAt: string | null,
  validate: ParseBody
): Promise<ChangeRequestContext> {
  if (applyAt === null) return transitionChangeRequest(change, subject, 'schedule')
  const moment = toIsoString(applyAt)
  if (moment <= change.at)
    throw badRequest(`applyAt should be after ${change.at}, which is now, got ${formatValue(applyAt)}`)
  const { id, actor, clientId } = change.caller
  // The trust of a job can expire before the scheduled time.
  if (actor === 'workload') throw forbidden('a CI job cannot schedule change requests; it can apply them')
  const through = actor === 'client' ? {} : omitUndefined({ _scheduledThrough: clientId })
  const members = { applyAt: moment, _scheduledBy: id, ...through }
  const scheduled = await transitionChangeRequest(change, subject, 'schedule', () => members)
  await assertApproved(change.store, subject, change)
  await assertFeatureUnchanged(change.store, subject)
  await assertEffectUnchanged(change, subject, validate)
  return scheduled
}
