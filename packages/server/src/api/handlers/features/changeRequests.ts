import type { ListedChangeRequest, ProjectChangeRequest } from '@burgee/contract/schemas'
import { omitUndefined } from '@burgee/kit'
import type { EditRunner } from '../../../access/audit/edit.ts'
import { type FeaturePath, getFeature, getProject } from '../../../access/lookup.ts'
import type { ParseBody } from '../../../access/parseBody.ts'
import type { TokenCaller } from '../../../access/permissions/caller.ts'
import { assertWorkflowEnabled, assertWorkflowEnabledForCreation } from '../../../flags/approvals/approvalWorkflow.ts'
import { countWaitingReviews } from '../../../flags/approvals/countWaitingReviews.ts'
import { listChangeRequests } from '../../../flags/approvals/listChangeRequests.ts'
import { listPendingRequests } from '../../../flags/approvals/openRequests.ts'
import { toChangeRequest, toProjectChangeRequest } from '../../../flags/approvals/toChangeRequest.ts'
import type { ChangeRequestContext } from '../../../flags/approvals/transitions.ts'
import { applyChangeRequest } from '../../../flags/changeRequests/applyChangeRequest.ts'
import { createChangeRequest } from '../../../flags/changeRequests/createChangeRequest.ts'
import { draftChangeRequest } from '../../../flags/changeRequests/draftChangeRequest.ts'
import { parseOperationPath } from '../../../flags/changeRequests/parseOperationPath.ts'
import { rebaseChangeRequest } from '../../../flags/changeRequests/rebaseChangeRequest.ts'
import { reviewChangeRequest } from '../../../flags/changeRequests/reviewChangeRequest.ts'
import { scheduleChangeRequest } from '../../../flags/changeRequests/scheduleChangeRequest.ts'
import { submitChangeRequest } from '../../../flags/changeRequests/submitChangeRequest.ts'
import { transitionChangeRequest } from '../../../flags/changeRequests/transitionChangeRequest.ts'
import { itemNotFound } from '../../../lib/errors.ts'
import type { StoredChangeRequest } from '../../../storage/resources/history.ts'
import type { Store } from '../../../storage/store.ts'
import type { Handlers } from '../shared/handler.ts'
import { toListQuery } from '../shared/toListQuery.ts'
import { withDryRun } from '../shared/withDryRun.ts'

interface Dependencies {
  readonly store: Store
  readonly edit: EditRunner
  readonly validate: ParseBody
}

type Operations =
  | 'listChangeRequests'
  | 'countWaitingReviews'
  | 'createChangeRequest'
  | 'listPendingChangeRequests'
  | 'getLatestChangeRequest'
  | 'getChangeRequest'
  | 'updateChangeRequest'
  | 'rebaseChangeRequest'
  | 'scheduleChangeRequest'
  | 'submitChangeRequest'
  | 'reviewChangeRequest'
  | 'applyChangeRequest'
  | 'cancelChangeRequest'

/** Handles change requests. */
export function changeRequests({ store, edit, validate }: Dependencies): Pick<Handlers, Operations> {
  return {
    listChangeRequests: async ({ params, query: { reviewer, status, scope = 'features', ...paging } }, caller) => {
      const project = await getProject(store, params.project, caller)
      // Requests of the project can be read after one of them turned approvals off.
      if (scope !== 'project') assertWorkflowEnabled(project)
      const where = { _project: project._id, ...omitUndefined({ status }) }
      const query = toListQuery<StoredChangeRequest>(paging, where, ['description'])
      const { items, count } = await listChangeRequests(store, query, { caller, reviewer, scope })
      return { items: await Promise.all(items.map((request) => toListed(store, request))), count }
    },

    countWaitingReviews: async (_, caller) => [...(await countWaitingReviews(store, caller))],

    createChangeRequest: ({ params, body: { path, body } }, caller) =>
      edit(caller, async (change) => {
        const { project, feature } = await getFeature(change.store, params, caller)
        assertWorkflowEnabledForCreation(project)
        const operation = parseOperationPath(path, project, feature)
        return toChangeRequest(await createChangeRequest(change, { operation, body, project, feature }, validate))
      }),

    listPendingChangeRequests: async ({ params }, caller) => {
      const { project, feature } = await getFeature(store, params, caller)
      assertWorkflowEnabled(project)
      return (await listPendingRequests(store, feature)).map(toChangeRequest)
    },

    getLatestChangeRequest: async ({ params }, caller) => {
      const { project, feature } = await getFeature(store, params, caller)
      assertWorkflowEnabled(project)
      const query = { where: { _feature: feature._id }, sortBy: 'createdAt', sortOrder: 'desc' } as const
      const { items } = await store.collection('changeRequests').list(query)
      const latest = items.find(({ status }) => status !== 'draft')
      if (!latest) throw itemNotFound('change request', 'latest', { within: `feature "${feature.key}"` })
      return toChangeRequest(latest)
    },

    getChangeRequest: async ({ params }, caller) => toChangeRequest((await find(store, params, caller)).request),

    updateChangeRequest: ({ params, body: { body } }, caller) =>
      edit(caller, async (change) => {
        const subject = await find(change.store, params, caller)
        const draft = { ...subject, operation: subject.request.operation, body }
        const { request } = await transitionChangeRequest(change, subject, 'edit', () =>
          draftChangeRequest(change, draft, validate)
        )
        return toChangeRequest(request)
      }),

    rebaseChangeRequest: ({ params }, caller) =>
      edit(caller, async (change) => {
        const subject = await find(change.store, params, caller)
        return toChangeRequest((await rebaseChangeRequest(change, subject, validate)).request)
      }),

    scheduleChangeRequest: ({ params, body: { applyAt } }, caller) =>
      edit(caller, async (change) => {
        const subject = await find(change.store, params, caller)
        return toChangeRequest((await scheduleChangeRequest(change, subject, applyAt, validate)).request)
      }),

    submitChangeRequest: ({ params, body }, caller) =>
      edit(caller, async (change) => {
        const subject = await find(change.store, params, caller)
        return toChangeRequest((await submitChangeRequest(change, subject, body)).request)
      }),

    reviewChangeRequest: ({ params, query, body }, caller) =>
      withDryRun(edit, query.dryRun)(caller, async (change) => {
        const reviewed = await reviewChangeRequest(change, await find(change.store, params, caller), body)
        if (query.apply && reviewed.request.status === 'approved') await applyChangeRequest(change, reviewed, validate)
      }),

    applyChangeRequest: ({ params, query, body: { description, emergency } }, caller) =>
      withDryRun(edit, query.dryRun)(caller, async (change) => {
        const subject = await find(change.store, params, caller)
        await applyChangeRequest(change, subject, validate, { description, emergency: emergency?.reason })
      }),

    cancelChangeRequest: ({ params }, caller) =>
      edit(caller, async (change) => {
        await transitionChangeRequest(change, await find(change.store, params, caller), 'cancel')
      })
  }
}

async function find(
  store: Store,
  { id, ...address }: FeaturePath & { readonly id: string },
  caller: TokenCaller
): Promise<ChangeRequestContext> {
  const { project, feature } = await getFeature(store, address, caller)
  assertWorkflowEnabled(project)
  const request = await store.collection('changeRequests').get({ _id: id, _feature: feature._id })
  if (!request) throw itemNotFound('change request', id, { within: `feature "${feature.key}"` })
  return { project, feature, request }
}

/** Serializes a change request for a list. The feature of a request exists as long as the request does. */
async function toListed(
  store: Store,
  request: StoredChangeRequest
): Promise<ListedChangeRequest | ProjectChangeRequest> {
  if (request._feature === undefined) return toProjectChangeRequest(request)
  const feature = await store.collection('features').get({ _id: request._feature })
  if (!feature) throw itemNotFound('feature', request._feature)
  const { key, name, _id: id } = feature
  return { ...toChangeRequest(request), feature: { key, name, id } }
}
