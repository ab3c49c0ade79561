import { DEFAULT_PER_PAGE } from '@burgee/contract/schemas'
import { omitUndefined } from '@burgee/kit'
import { createdChange } from '../../../access/audit/changes.ts'
import type { EditRunner } from '../../../access/audit/edit.ts'
import { type FeaturePath, getFeature, getProject } from '../../../access/lookup.ts'
import type { ParseBody } from '../../../access/parseBody.ts'
import type { TokenCaller } from '../../../access/permissions/caller.ts'
import { assertWorkflowEnabled, assertWorkflowEnabledForCreation } from '../../../flags/approvals/approvalWorkflow.ts'
import { findOpenRequest, listPendingRequests } from '../../../flags/approvals/openRequests.ts'
import { contentHash, toChangeRequest } from '../../../flags/approvals/toChangeRequest.ts'
import { type ChangeRequestContext, canBypassApproval } from '../../../flags/approvals/transitions.ts'
import { applyChangeRequest } from '../../../flags/changeRequests/applyChangeRequest.ts'
import { draftChangeRequest } from '../../../flags/changeRequests/draftChangeRequest.ts'
import { rethrowAsPreconditionFailed } from '../../../flags/changeRequests/executeRequestedChange.ts'
import { assertFeatureChanged } from '../../../flags/changeRequests/featureSnapshot.ts'
import { parseOperationPath } from '../../../flags/changeRequests/parseOperationPath.ts'
import { scheduleChangeRequest } from '../../../flags/changeRequests/scheduleChangeRequest.ts'
import { transitionChangeRequest } from '../../../flags/changeRequests/transitionChangeRequest.ts'
import { badRequest, conflict, itemNotFound, operationNotAllowed, preconditionFailed } from '../../../lib/errors.ts'
import type { StoredChangeRequest } from '../../../storage/resources.ts'
import type { Store } from '../../../storage/store.ts'
import type { Handlers } from '../kit/handler.ts'
import { toListQuery } from '../kit/toListQuery.ts'

interface Dependencies {
  readonly store: Store
  readonly edit: EditRunner
  readonly validate: ParseBody
}

type Operations =
  | 'listChangeRequests'
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
    listChangeRequests: async ({ params, query: { reviewer, status, ...paging } }, caller) => {
      const project = await getProject(store, params.project, caller)
      assertWorkflowEnabled(project)
      const where = { _project: project._id, ...omitUndefined({ status }) }
      const {
        page = 1,
        perPage = DEFAULT_PER_PAGE,
        ...query
      } = toListQuery<StoredChangeRequest>(paging, where, ['description'])
      const { items } = await store.collection('changeRequests').list(query)
      const seen = items.filter((request) => {
        const isAsked = reviewer === undefined || request.reviewers.users.includes(reviewer)
        return isAsked && (request.status !== 'draft' || request._createdBy === caller.id)
      })
      const shown = seen.slice((page - 1) * perPage, page * perPage).map((request) => withFeature(store, request))
      return { items: await Promise.all(shown), count: seen.length }
    },

    createChangeRequest: ({ params, body: { path, body } }, caller) =>
      edit(caller, async (change) => {
        const { project, feature } = await getFeature(change.store, params, caller)
        assertWorkflowEnabledForCreation(project)
        const operation = parseOperationPath(path, project, feature)
        const open = await findOpenRequest(change.store, feature)
        if (open) throw conflict(`feature "${feature.key}" has a change request that is ${open.status}: ${open._id}`)
        const request: StoredChangeRequest = {
          ...change.recordFields(),
          ...(await draftChangeRequest(change, { operation, body, project, feature }, validate)),
          _project: project._id,
          _feature: feature._id,
          status: 'draft',
          operation,
          reviewers: { users: [] },
          reviews: [],
          _createdBy: caller.id
        }
        change.recordChanges({ _project: project._id }, [createdChange('ChangeRequest', request)])
        return toChangeRequest(await change.store.collection('changeRequests').insert(request))
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
        const { operation, body } = subject.request
        const { request } = await transitionChangeRequest(change, subject, 'rebase', async () => {
          const draft = await draftChangeRequest(change, { ...subject, operation, body }, validate).catch(
            rethrowAsPreconditionFailed
          )
          await assertFeatureChanged(change.store, subject, draft)
          return draft
        })
        return toChangeRequest(request)
      }),

    scheduleChangeRequest: ({ params, body: { applyAt } }, caller) =>
      edit(caller, async (change) => {
        const subject = await find(change.store, params, caller)
        return toChangeRequest((await scheduleChangeRequest(change, subject, applyAt, validate)).request)
      }),

    submitChangeRequest: ({ params, body: { description, reviewers } }, caller) =>
      edit(caller, async (change) => {
        const subject = await find(change.store, params, caller)
        const open = await findOpenRequest(change.store, subject.feature)
        const members = { description, reviewers: { users: [...new Set(reviewers)] } }
        const { request } = await transitionChangeRequest(change, subject, 'submit', () => members)
        if (open) throw operationNotAllowed(`another change request of the feature is ${open.status}: ${open._id}`)
        return toChangeRequest(request)
      }),

    reviewChangeRequest: ({ params, query, body }, caller) =>
      edit(caller, async (change) => {
        const subject = await find(change.store, params, caller)
        const { action, comment } = body
        const hash = contentHash(subject.request)
        const review = { idp_user: caller.id, action, comment, createdAt: change.at, contentHash: hash }
        const members = { reviews: [...subject.request.reviews, review] }
        const reviewed = await transitionChangeRequest(
          change,
          subject,
          action === 'approved' ? 'approve' : 'reject',
          () => members
        )
        assertContentUnchanged(body.contentHash, hash)
        if (query.apply && action === 'approved') await applyChangeRequest(change, reviewed, validate)
      }),

    applyChangeRequest: ({ params, body: { description } }, caller) =>
      edit(caller, async (change) => {
        const subject = await find(change.store, params, caller)
        const isEmpty = description.trim() === ''
        if (isEmpty) assertBypassReason(subject, caller)
        // An empty description keeps the one of the submission.
        await applyChangeRequest(change, subject, validate, isEmpty ? {} : { description })
      }),

    cancelChangeRequest: ({ params }, caller) =>
      edit(caller, async (change) => {
        await transitionChangeRequest(change, await find(change.store, params, caller), 'cancel')
      })
  }
}

/** Asserts that a change request applied without approval has a description. @throws {HttpError} 400 */
function assertBypassReason({ project, request: { status } }: ChangeRequestContext, caller: TokenCaller): void {
  if (!canBypassApproval(project, caller) || (status !== 'draft' && status !== 'pending')) return
  throw badRequest(
    `description should say why the change is made without approval, for a change request that is ${status}`
  )
}

/** @throws {HttpError} 412 if the content has changed since the reviewer read it. */
function assertContentUnchanged(seen: string | undefined, hash: string): void {
  if (seen === undefined || seen === hash) return
  throw preconditionFailed(
    `the change request has changed since it was read for review: its contentHash is ${hash}, got ${seen}`
  )
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

/** Serializes a change request with its feature. The feature exists as long as its change requests do. */
async function withFeature(store: Store, request: StoredChangeRequest) {
  const feature = await store.collection('features').get({ _id: request._feature })
  if (!feature) throw itemNotFound('feature', request._feature)
  const { key, name, _id: id } = feature
  return { ...toChangeRequest(request), feature: { key, name, id } }
}
