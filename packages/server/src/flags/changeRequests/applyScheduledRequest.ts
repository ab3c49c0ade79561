import { operations } from '@burgee/contract'
import { modifiedChanges } from '../../access/audit/changes.ts'
import type { Edit, EditRunner } from '../../access/audit/edit.ts'
import type { ParseBody } from '../../access/parseBody.ts'
import type { TokenCaller } from '../../access/permissions/caller.ts'
import { findActiveIdentity } from '../../access/permissions/findIdentity.ts'
import { serverCaller } from '../../access/permissions/serverCaller.ts'
import { forbidden, HttpError } from '../../lib/errors.ts'
import type { Logger } from '../../lib/logger.ts'
import type { StoredChangeRequest } from '../../storage/resources/history.ts'
import { DuplicateError, type Store, StoreUnavailableError } from '../../storage/store.ts'
import { assertWorkflowEnabled } from '../approvals/approvalWorkflow.ts'
import type { ChangeRequestContext } from '../approvals/transitions.ts'
import { deleteUserData, type RemovedIds } from '../projects/deleteUserData.ts'
import { applyChangeRequest } from './applyChangeRequest.ts'
import { withoutSchedule } from './transitionChangeRequest.ts'

/** The dependencies of applying scheduled change requests. */
export interface SchedulerDependencies {
  readonly store: Store
  readonly edit: EditRunner
  readonly validate: ParseBody
  readonly log: Logger
  readonly now: () => number
}

/**
 * Applies a due change request on behalf of the user who scheduled it, with their current permissions. A failure is
 * recorded in the request and not retried.
 * @throws {StoreUnavailableError} when the store refuses the write. The change request is unchanged then.
 */
export async function applyScheduledRequest(
  { store, edit, validate, log, now }: SchedulerDependencies,
  id: string
): Promise<void> {
  const found = await findContext(store, id)
  if (!found) return
  const server = serverCaller(found.project._organization)
  const caller = (await findSchedulingCaller(store, found.request, new Date(now()).toISOString())) ?? server
  try {
    const removed = await edit(caller, (change) => applyIfStillDue(change, found.request, validate))
    if (removed) await deleteUserData(store, removed)
  } catch (error) {
    if (error instanceof StoreUnavailableError) throw error
    const reason = publicReasonOf(error)
    const fields = { changeRequest: id, reason, ...(reason === UNEXPECTED ? { err: error } : {}) }
    log.warn(fields, 'a scheduled change request could not be applied')
    await edit(server, (change) => recordFailure(change, id, reason))
  }
}

async function applyIfStillDue(
  change: Edit,
  { _id, _scheduledBy }: StoredChangeRequest,
  validate: ParseBody
): Promise<RemovedIds | undefined> {
  // Read again inside the transaction: a concurrent request may have applied, edited or rescheduled it.
  const subject = await findContext(change.store, _id)
  if (!subject || subject.request._scheduledBy !== _scheduledBy || !isDue(subject.request, change.at)) return undefined
  const { project, request } = subject
  assertWorkflowEnabled(project)
  const caller = await findSchedulingCaller(change.store, request, change.at)
  if (caller?.organization !== project._organization || !caller.access.allows(caller.requiredPermission, project._id)) {
    throw forbidden(`${_scheduledBy} scheduled it and may no longer change features in project "${project.key}"`)
  }
  return applyChangeRequest({ ...change, caller }, subject, validate)
}

async function recordFailure(
  { store, caller, at, recordChanges }: Edit,
  id: string,
  scheduleFailure: string
): Promise<void> {
  const requests = store.collection('changeRequests')
  const before = await requests.get({ _id: id })
  if (!before || !isDue(before, at)) return
  const after = await requests.update(id, { ...withoutSchedule, scheduleFailure, updatedAt: at, _updatedBy: caller.id })
  if (after) recordChanges({ _project: before._project }, modifiedChanges('ChangeRequest', before, after))
}

function isDue({ status, applyAt }: StoredChangeRequest, at: string): boolean {
  return status === 'approved' && applyAt !== undefined && applyAt <= at
}

async function findContext(store: Store, _id: string): Promise<ChangeRequestContext | undefined> {
  const request = await store.collection('changeRequests').get({ _id })
  const project = request && (await store.collection('projects').get({ _id: request._project }))
  if (!project || request._feature === undefined) return project && { project, request }
  const feature = await store.collection('features').get({ _id: request._feature })
  return feature && { project, feature, request }
}

/**
 * Finds the user who scheduled a change request; undefined when the user, or the client they used, was removed, is
 * disabled or has expired.
 */
async function findSchedulingCaller(
  store: Store,
  request: StoredChangeRequest,
  at: string
): Promise<TokenCaller | undefined> {
  const { _scheduledBy, _scheduledThrough: through } = request
  const identity =
    _scheduledBy === undefined ? undefined : await findActiveIdentity(store, _scheduledBy, { at, through })
  return (
    identity && { ...identity, requiredPermission: operations.applyChangeRequest.credential.permission, source: 'api' }
  )
}

const UNEXPECTED = 'internal server error; see the server log'

function publicReasonOf(error: unknown): string {
  return error instanceof HttpError || error instanceof DuplicateError ? error.message : UNEXPECTED
}
