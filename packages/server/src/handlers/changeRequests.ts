import { PER_PAGE } from '@burgee/contract'
import { contentHash } from '../approval/contentHash.ts'
import { openRequest, pendingRequests } from '../approval/open.ts'
import type { Subject } from '../approval/subject.ts'
import { toChangeRequest } from '../approval/toChangeRequest.ts'
import { bypasses } from '../approval/transitions.ts'
import { demandWorkflow, demandWorkflowForNew } from '../approval/workflow.ts'
import { created } from '../audit/changes.ts'
import type { MakeEdit } from '../audit/edit.ts'
import type { TokenCaller } from '../caller.ts'
import { operationAt } from '../changeRequests/address.ts'
import { apply } from '../changeRequests/apply.ts'
import { asPrecondition } from '../changeRequests/asPrecondition.ts'
import { draftOf } from '../changeRequests/draft.ts'
import { move } from '../changeRequests/move.ts'
import { scheduleFor } from '../changeRequests/scheduleFor.ts'
import { demandChanged } from '../changeRequests/snapshot.ts'
import { conflict, invalid, itemNotFound, notAllowed, preconditionFailed } from '../errors.ts'
import { type FeatureAddress, findFeature, findProject } from '../find.ts'
import { given } from '../given.ts'
import type { StoredChangeRequest } from '../store/resources.ts'
import type { Store } from '../store/store.ts'
import type { Validate } from '../validate.ts'
import type { Handlers } from './handler.ts'
import { pageOf } from './page.ts'

interface Dependencies {
  readonly store: Store
  readonly edit: MakeEdit
  readonly validate: Validate
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

/** Keeps the changes of features that wait for somebody's approval. */
export function changeRequests({ store, edit, validate }: Dependencies): Pick<Handlers, Operations> {
  return {
    listChangeRequests: async ({ params, query: { reviewer, status, ...paging } }, caller) => {
      const project = await findProject(store, params.project, caller)
      demandWorkflow(project)
      const where = { _project: project._id, ...given({ status }) }
      const { page = 1, perPage = PER_PAGE, ...query } = pageOf<StoredChangeRequest>(paging, where, ['description'])
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
        const { project, feature } = await findFeature(change.store, params, caller)
        demandWorkflowForNew(project)
        const operation = operationAt(path, project, feature)
        const open = await openRequest(change.store, feature)
        if (open) throw conflict(`feature "${feature.key}" has a change request that is ${open.status}: ${open._id}`)
        const request: StoredChangeRequest = {
          ...change.stamps(),
          ...(await draftOf(change, { operation, body, project, feature }, validate)),
          _project: project._id,
          _feature: feature._id,
          status: 'draft',
          operation,
          reviewers: { users: [] },
          reviews: [],
          _createdBy: caller.id
        }
        change.note({ _project: project._id }, [created('ChangeRequest', request)])
        return toChangeRequest(await change.store.collection('changeRequests').insert(request))
      }),

    listPendingChangeRequests: async ({ params }, caller) => {
      const { project, feature } = await findFeature(store, params, caller)
      demandWorkflow(project)
      return (await pendingRequests(store, feature)).map(toChangeRequest)
    },

    getLatestChangeRequest: async ({ params }, caller) => {
      const { project, feature } = await findFeature(store, params, caller)
      demandWorkflow(project)
      const query = { where: { _feature: feature._id }, sortBy: 'createdAt', sortOrder: 'desc' } as const
      const { items } = await store.collection('changeRequests').list(query)
      const latest = items.find(({ status }) => status !== 'draft')
      if (!latest) throw itemNotFound('latest', `the change requests of feature "${feature.key}"`)
      return toChangeRequest(latest)
    },

    getChangeRequest: async ({ params }, caller) => toChangeRequest((await find(store, params, caller)).request),

    updateChangeRequest: ({ params, body: { body } }, caller) =>
      edit(caller, async (change) => {
        const subject = await find(change.store, params, caller)
        const asked = { ...subject, operation: subject.request.operation, body }
        const { request } = await move(change, subject, 'edit', () => draftOf(change, asked, validate))
        return toChangeRequest(request)
      }),

    rebaseChangeRequest: ({ params }, caller) =>
      edit(caller, async (change) => {
        const subject = await find(change.store, params, caller)
        const { operation, body } = subject.request
        const { request } = await move(change, subject, 'rebase', async () => {
          const draft = await draftOf(change, { ...subject, operation, body }, validate).catch(asPrecondition)
          await demandChanged(change.store, subject, draft)
          return draft
        })
        return toChangeRequest(request)
      }),

    scheduleChangeRequest: ({ params, body: { applyAt } }, caller) =>
      edit(caller, async (change) => {
        const subject = await find(change.store, params, caller)
        return toChangeRequest((await scheduleFor(change, subject, applyAt, validate)).request)
      }),

    submitChangeRequest: ({ params, body: { description, reviewers } }, caller) =>
      edit(caller, async (change) => {
        const subject = await find(change.store, params, caller)
        const open = await openRequest(change.store, subject.feature)
        const members = { description, reviewers: { users: [...new Set(reviewers)] } }
        const { request } = await move(change, subject, 'submit', () => members)
        if (open) throw notAllowed(`another change request of the feature is ${open.status}: ${open._id}`)
        return toChangeRequest(request)
      }),

    reviewChangeRequest: ({ params, query, body }, caller) =>
      edit(caller, async (change) => {
        const subject = await find(change.store, params, caller)
        const { action, comment } = body
        const hash = contentHash(subject.request)
        const review = { idp_user: caller.id, action, comment, createdAt: change.at, contentHash: hash }
        const members = { reviews: [...subject.request.reviews, review] }
        const reviewed = await move(change, subject, action === 'approved' ? 'approve' : 'reject', () => members)
        demandSeen(body.contentHash, hash)
        if (query.apply && action === 'approved') await apply(change, reviewed, validate)
      }),

    applyChangeRequest: ({ params, body: { description } }, caller) =>
      edit(caller, async (change) => {
        const subject = await find(change.store, params, caller)
        const isSilent = description.trim() === ''
        if (isSilent) demandReason(subject, caller)
        // What was said when it was submitted stays, unless there is more to say.
        await apply(change, subject, validate, isSilent ? {} : { description })
      }),

    cancelChangeRequest: ({ params }, caller) =>
      edit(caller, async (change) => {
        await move(change, await find(change.store, params, caller), 'cancel')
      })
  }
}

/** Whoever does without a review says why (`management.md` §8). @throws {ApiError} 400 */
function demandReason({ project, request: { status } }: Subject, caller: TokenCaller): void {
  if (!bypasses(project, caller) || (status !== 'draft' && status !== 'pending')) return
  throw invalid(
    `description should say why the change is made without approval, for a change request that is ${status}`
  )
}

/** @throws {ApiError} 412 when a reviewer says to have seen something else than what the change request asks for now. */
function demandSeen(seen: string | undefined, hash: string): void {
  if (seen === undefined || seen === hash) return
  throw preconditionFailed(
    `the change request is not any more what was reviewed: its contentHash is ${hash}, got ${seen}`
  )
}

async function find(
  store: Store,
  { id, ...address }: FeatureAddress & { readonly id: string },
  caller: TokenCaller
): Promise<Subject> {
  const { project, feature } = await findFeature(store, address, caller)
  demandWorkflow(project)
  const request = await store.collection('changeRequests').get({ _id: id, _feature: feature._id })
  if (!request) throw itemNotFound(id)
  return { project, feature, request }
}

/** A change request with the feature that it is for. A feature takes its change requests along when it goes. */
async function withFeature(store: Store, request: StoredChangeRequest) {
  const feature = await store.collection('features').get({ _id: request._feature })
  if (!feature) throw itemNotFound(request._feature)
  const { key, name, _id: id } = feature
  return { ...toChangeRequest(request), feature: { key, name, id } }
}
