import { PER_PAGE } from '@burgee/contract'
import { openRequest, pendingRequests } from '../approval/open.ts'
import { toChangeRequest } from '../approval/toChangeRequest.ts'
import { demandWorkflow, demandWorkflowForNew } from '../approval/workflow.ts'
import { created } from '../audit/changes.ts'
import type { Edit, MakeEdit } from '../audit/edit.ts'
import type { TokenCaller } from '../caller.ts'
import { operationAt } from '../changeRequests/address.ts'
import { move, type Subject } from '../changeRequests/move.ts'
import { perform } from '../changeRequests/perform.ts'
import { rehearse } from '../changeRequests/rehearse.ts'
import { demandUnchanged, snapshotOf } from '../changeRequests/snapshot.ts'
import { ApiError, conflict, itemNotFound, notAllowed, preconditionFailed } from '../errors.ts'
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
  | 'submitChangeRequest'
  | 'reviewChangeRequest'
  | 'applyChangeRequest'
  | 'cancelChangeRequest'

/** Keeps the changes of features that wait for somebody's approval. */
export function changeRequests({ store, edit, validate }: Dependencies): Pick<Handlers, Operations> {
  const apply = async (edit: Edit, { project, feature, request }: Subject) => {
    await demandUnchanged(edit.store, request, feature)
    await perform(edit, { ...request, project, feature }, validate).catch((error) => {
      throw asPrecondition(error)
    })
  }

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
      edit(caller, async (edit) => {
        const { project, feature } = await findFeature(edit.store, params, caller)
        demandWorkflowForNew(project)
        const operation = operationAt(path, project, feature)
        const open = await openRequest(edit.store, feature)
        if (open) throw conflict(`feature "${feature.key}" has a change request that is ${open.status}: ${open._id}`)
        const changes = await rehearse(edit, feature, (part) => {
          return perform(part, { operation, body, project, feature }, validate)
        })
        const request: StoredChangeRequest = {
          ...edit.stamps(),
          _project: project._id,
          _feature: feature._id,
          _baseFeatureSnapshot: await snapshotOf(edit.store, feature),
          status: 'draft',
          operation,
          body,
          changes: [...changes],
          reviewers: { users: [] },
          reviews: [],
          _createdBy: caller.id
        }
        edit.note({ _project: project._id }, [created('ChangeRequest', request)])
        return toChangeRequest(await edit.store.collection('changeRequests').insert(request))
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

    submitChangeRequest: ({ params, body: { description, reviewers } }, caller) =>
      edit(caller, async (edit) => {
        const subject = await find(edit.store, params, caller)
        const open = await openRequest(edit.store, subject.feature)
        const members = { description, reviewers: { users: [...new Set(reviewers)] } }
        const { request } = await move(edit, subject, 'submit', members)
        if (open) throw notAllowed(`another change request of the feature is ${open.status}: ${open._id}`)
        return toChangeRequest(request)
      }),

    reviewChangeRequest: ({ params, query, body: { action, comment } }, caller) =>
      edit(caller, async (edit) => {
        const subject = await find(edit.store, params, caller)
        const review = { idp_user: caller.id, action, comment, createdAt: edit.at }
        const members = { reviews: [...subject.request.reviews, review] }
        if (action === 'rejected') await move(edit, subject, 'reject', members)
        else {
          const approved = await move(edit, subject, 'approve', members)
          if (query.apply) await apply(edit, await move(edit, approved, 'apply'))
        }
      }),

    applyChangeRequest: ({ params, body: { description } }, caller) =>
      edit(caller, async (edit) => {
        const subject = await find(edit.store, params, caller)
        // What was said when it was submitted stays, unless there is more to say.
        await apply(edit, await move(edit, subject, 'apply', description.trim() === '' ? {} : { description }))
      }),

    cancelChangeRequest: ({ params }, caller) =>
      edit(caller, async (edit) => {
        await move(edit, await find(edit.store, params, caller), 'cancel')
      })
  }
}

/** What was right when the request was made is not the fault of whoever applies it. */
function asPrecondition(error: unknown): unknown {
  if (!(error instanceof ApiError) || error.status !== 400) return error
  return preconditionFailed(`the change cannot be made any more: ${error.message}`)
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
