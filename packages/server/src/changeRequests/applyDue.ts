import { operations } from '@burgee/contract'
import { identify } from '../access/identify.ts'
import { serverCaller } from '../access/serverCaller.ts'
import type { Subject } from '../approval/subject.ts'
import { demandWorkflow } from '../approval/workflow.ts'
import { modified } from '../audit/changes.ts'
import type { Edit, MakeEdit } from '../audit/edit.ts'
import type { TokenCaller } from '../caller.ts'
import { ApiError, forbidden } from '../errors.ts'
import type { Logger } from '../log.ts'
import type { StoredChangeRequest } from '../store/resources.ts'
import { DuplicateError, type Store, StoreUnavailableError } from '../store/store.ts'
import type { Validate } from '../validate.ts'
import { apply } from './apply.ts'
import { unscheduled } from './move.ts'

/** What it takes to apply a change request when its moment has come. */
export interface Dependencies {
  readonly store: Store
  readonly edit: MakeEdit
  readonly validate: Validate
  readonly log: Logger
}

/**
 * Applies a change request whose moment has come, for the person who scheduled it, as they are now. What keeps it from being
 * applied is told in it, and it is not tried again.
 * @throws {StoreUnavailableError} when the store refuses the write; the change request is as it was.
 */
export async function applyDue({ store, edit, validate, log }: Dependencies, id: string): Promise<void> {
  const found = await subjectOf(store, id)
  if (!found) return
  const server = serverCaller(found.project._organization)
  const caller = (await callerOf(store, found.request)) ?? server
  try {
    await edit(caller, (change) => applyAs(change, found.request, validate))
  } catch (error) {
    if (error instanceof StoreUnavailableError) throw error
    const reason = reasonOf(error)
    const about = { changeRequest: id, reason, ...(reason === UNEXPECTED ? { err: error } : {}) }
    log.warn(about, 'a change request could not be applied when it should have been')
    await edit(server, (change) => giveUp(change, id, reason))
  }
}

async function applyAs(change: Edit, { _id, _scheduledBy }: StoredChangeRequest, validate: Validate): Promise<void> {
  // Read again: it may have been applied, edited or scheduled anew by whoever came first.
  const subject = await subjectOf(change.store, _id)
  if (!subject || subject.request._scheduledBy !== _scheduledBy || !isDue(subject.request, change.at)) return
  const { project, request } = subject
  demandWorkflow(project)
  const caller = await callerOf(change.store, request)
  if (caller?.organization !== project._organization || !caller.access.allows(caller.needs, project._id)) {
    throw forbidden(`${_scheduledBy} scheduled it and may not change features in project "${project.key}" any more`)
  }
  await apply({ ...change, caller }, subject, validate)
}

async function giveUp({ store, caller, at, note }: Edit, id: string, scheduleFailure: string): Promise<void> {
  const requests = store.collection('changeRequests')
  const before = await requests.get({ _id: id })
  if (!before || !isDue(before, at)) return
  const after = await requests.update(id, { ...unscheduled, scheduleFailure, updatedAt: at, _updatedBy: caller.id })
  if (after) note({ _project: before._project }, modified('ChangeRequest', before, after))
}

function isDue({ status, applyAt }: StoredChangeRequest, at: string): boolean {
  return status === 'approved' && applyAt !== undefined && applyAt <= at
}

async function subjectOf(store: Store, _id: string): Promise<Subject | undefined> {
  const request = await store.collection('changeRequests').get({ _id })
  const project = request && (await store.collection('projects').get({ _id: request._project }))
  const feature = request && (await store.collection('features').get({ _id: request._feature }))
  return project && feature ? { project, feature, request } : undefined
}

/** Whoever scheduled a change request, as they are now; nobody when they, or the client they did it with, are gone. */
async function callerOf(store: Store, request: StoredChangeRequest): Promise<TokenCaller | undefined> {
  const { _scheduledBy, _scheduledThrough } = request
  const identity = _scheduledBy === undefined ? undefined : await identify(store, _scheduledBy, _scheduledThrough)
  return identity && { ...identity, needs: operations.applyChangeRequest.credential.permission, source: 'api' }
}

const UNEXPECTED = 'the server failed; its log says how'

function reasonOf(error: unknown): string {
  return error instanceof ApiError || error instanceof DuplicateError ? error.message : UNEXPECTED
}
