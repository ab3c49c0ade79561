import type { EditRunner } from '../../../access/audit/edit.ts'
import { getProject } from '../../../access/lookup.ts'
import type { ParseBody } from '../../../access/parseBody.ts'
import type { TokenCaller } from '../../../access/permissions/caller.ts'
import { assertWorkflowEnabled, assertWorkflowEnabledForCreation } from '../../../flags/approvals/approvalWorkflow.ts'
import { toProjectChangeRequest } from '../../../flags/approvals/toChangeRequest.ts'
import type { ChangeRequestContext } from '../../../flags/approvals/transitions.ts'
import { applyChangeRequest } from '../../../flags/changeRequests/applyChangeRequest.ts'
import { createChangeRequest } from '../../../flags/changeRequests/createChangeRequest.ts'
import { draftChangeRequest } from '../../../flags/changeRequests/draftChangeRequest.ts'
import { parseProjectOperation } from '../../../flags/changeRequests/project/projectCommands.ts'
import { rebaseChangeRequest } from '../../../flags/changeRequests/rebaseChangeRequest.ts'
import { reviewChangeRequest } from '../../../flags/changeRequests/reviewChangeRequest.ts'
import { scheduleChangeRequest } from '../../../flags/changeRequests/scheduleChangeRequest.ts'
import { submitChangeRequest } from '../../../flags/changeRequests/submitChangeRequest.ts'
import { transitionChangeRequest } from '../../../flags/changeRequests/transitionChangeRequest.ts'
import { deleteUserData } from '../../../flags/projects/deleteUserData.ts'
import { badRequest, itemNotFound } from '../../../lib/errors.ts'
import type { Store } from '../../../storage/store.ts'
import type { Handlers } from '../shared/handler.ts'
import { withDryRun } from '../shared/withDryRun.ts'

interface Dependencies {
  readonly store: Store
  readonly edit: EditRunner
  readonly validate: ParseBody
}

type Operations =
  | 'createProjectChangeRequest'
  | 'getProjectChangeRequest'
  | 'updateProjectChangeRequest'
  | 'rebaseProjectChangeRequest'
  | 'submitProjectChangeRequest'
  | 'reviewProjectChangeRequest'
  | 'scheduleProjectChangeRequest'
  | 'applyProjectChangeRequest'
  | 'cancelProjectChangeRequest'

/** Handles change requests of projects. */
export function projectChangeRequests({ store, edit, validate }: Dependencies): Pick<Handlers, Operations> {
  return {
    createProjectChangeRequest: ({ params, body: { body = {}, ...requested } }, caller) =>
      edit(caller, async (change) => {
        const project = await getProject(change.store, params.project, caller)
        assertWorkflowEnabledForCreation(project)
        const named = { ...requested, ...(await parseProjectOperation(change, project, requested)) }
        return toProjectChangeRequest(await createChangeRequest(change, { ...named, body, project }, validate))
      }),

    // The audit entry of an applied request names it, so it can be read when approvals are off too.
    getProjectChangeRequest: async ({ params }, caller) => {
      return toProjectChangeRequest((await findAny(store, params, caller)).request)
    },

    updateProjectChangeRequest: ({ params, body: { body } }, caller) =>
      edit(caller, async (change) => {
        const subject = await find(change.store, params, caller)
        const { operation, _target, method } = subject.request
        if (method === 'DELETE') throw badRequest('body should not be given: the change request is for a deletion')
        const { request } = await transitionChangeRequest(change, subject, 'edit', () =>
          draftChangeRequest(change, { ...subject, operation, _target, body }, validate)
        )
        return toProjectChangeRequest(request)
      }),

    rebaseProjectChangeRequest: ({ params }, caller) =>
      edit(caller, async (change) => {
        const subject = await find(change.store, params, caller)
        return toProjectChangeRequest((await rebaseChangeRequest(change, subject, validate)).request)
      }),

    submitProjectChangeRequest: ({ params, body }, caller) =>
      edit(caller, async (change) => {
        const subject = await find(change.store, params, caller)
        return toProjectChangeRequest((await submitChangeRequest(change, subject, body)).request)
      }),

    reviewProjectChangeRequest: async ({ params, query, body }, caller) => {
      const removed = await withDryRun(edit, query.dryRun)(caller, async (change) => {
        const subject = await findAny(change.store, params, caller)
        // A request that turned approvals off in an emergency can be approved later.
        if (!subject.request.emergency) assertWorkflowEnabled(subject.project)
        const reviewed = await reviewChangeRequest(change, subject, body)
        if (!query.apply || reviewed.request.status !== 'approved') return undefined
        return applyChangeRequest(change, reviewed, validate)
      })
      if (removed && !query.dryRun) await deleteUserData(store, removed)
    },

    scheduleProjectChangeRequest: ({ params, body: { applyAt } }, caller) =>
      edit(caller, async (change) => {
        const subject = await find(change.store, params, caller)
        return toProjectChangeRequest((await scheduleChangeRequest(change, subject, applyAt, validate)).request)
      }),

    applyProjectChangeRequest: async ({ params, query, body: { description, emergency } }, caller) => {
      const removed = await withDryRun(edit, query.dryRun)(caller, async (change) => {
        const subject = await find(change.store, params, caller)
        return applyChangeRequest(change, subject, validate, { description, emergency: emergency?.reason })
      })
      if (removed && !query.dryRun) await deleteUserData(store, removed)
    },

    cancelProjectChangeRequest: ({ params }, caller) =>
      edit(caller, async (change) => {
        await transitionChangeRequest(change, await find(change.store, params, caller), 'cancel')
      })
  }
}

interface Params {
  readonly project: string
  readonly id: string
}

/** Finds a change request to act on. */
async function find(store: Store, params: Params, caller: TokenCaller): Promise<ChangeRequestContext> {
  const subject = await findAny(store, params, caller)
  assertWorkflowEnabled(subject.project)
  return subject
}

/** Finds a change request, even while the project has no approvals. */
async function findAny(
  store: Store,
  { project: reference, id }: Params,
  caller: TokenCaller
): Promise<ChangeRequestContext> {
  const project = await getProject(store, reference, caller)
  const request = await store.collection('changeRequests').get({ _id: id, _project: project._id })
  if (request?._feature !== undefined || !request) {
    throw itemNotFound('change request', id, { within: `project "${project.key}"` })
  }
  return { project, request }
}
