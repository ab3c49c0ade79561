import { z } from 'zod'
import { defineOperation } from '../../operation.ts'
import { IdReference } from '../../schema/common/fields.ts'
import { Pagination } from '../../schema/common/pagination.ts'
import { FeatureReference, ProjectReference } from '../../schema/common/references.ts'
import {
  ApplyChangeRequest,
  ChangeRequest,
  ChangeRequestStatus,
  CreateChangeRequest,
  ListedChangeRequest,
  ProjectChangeRequest,
  ReviewChangeRequest,
  ScheduleChangeRequest,
  SubmitChangeRequest,
  UpdateChangeRequest,
  WaitingReviews
} from '../../schema/projects/changeRequest.ts'
import { DryRun } from '../dryRun.ts'
import { accessWithBody, accessWithoutBody, selfAccess } from '../operationAccess.ts'

const tag = 'Change requests'
/** The demo project that requires approval. */
const project = ProjectReference.meta({ example: 'payments' })
const ofFeature = z.object({ project, feature: FeatureReference.meta({ example: 'instant-payouts' }) })
const params = ofFeature.extend({ id: IdReference })

/** List change requests. */
export const listChangeRequests = defineOperation({
  ...accessWithoutBody('feature:read', 404, 405),
  tag,
  id: 'listChangeRequests',
  summary: 'List change requests',
  description: 'Drafts are listed for their creator only.',
  method: 'GET',
  path: '/v2/projects/{project}/change-requests',
  params: z.object({ project }),
  query: Pagination.extend({
    scope: z.enum(['features', 'project']).optional().meta({
      description:
        'Change requests of `features`, or those of the `project` itself with its environments and audiences. Default: `features`.'
    }),
    status: ChangeRequestStatus.optional().meta({
      description: 'Only change requests with this status. Default: all.'
    }),
    reviewer: z.string().min(1).optional().meta({ description: 'Change requests that ask this user for a review.' })
  }),
  status: 200,
  response: z.array(
    z.union([ListedChangeRequest, ProjectChangeRequest]).meta({ example: ListedChangeRequest.meta()?.example })
  ),
  responseKind: 'list'
})

/** Count the change requests that wait for the caller. */
export const countWaitingReviews = defineOperation({
  ...selfAccess(),
  tag,
  id: 'countWaitingReviews',
  summary: 'Count the change requests that wait for the caller',
  description:
    'Change requests of features and of projects that the caller may approve and has not approved, in all projects of the organization: pending ones, and approved ones whose project requires more approvals by now. Projects without any are omitted. Accepts every valid token, including those of API clients.',
  method: 'GET',
  path: '/v2/me/waiting-reviews',
  status: 200,
  response: z.array(WaitingReviews)
})

/** Create a change request. */
export const createChangeRequest = defineOperation({
  ...accessWithBody('feature:write', 404, 405, 409, 412),
  tag,
  id: 'createChangeRequest',
  summary: 'Create a change request',
  description:
    'A change request starts as a draft. A feature can have several drafts, and one request that is pending or approved.',
  method: 'POST',
  path: '/v2/projects/{project}/features/{feature}/change-requests',
  params: ofFeature.extend({ feature: FeatureReference.meta({ example: 'invoice-export' }) }),
  body: CreateChangeRequest,
  status: 201,
  response: ChangeRequest
})

/** List the pending change requests of a feature. */
export const listPendingChangeRequests = defineOperation({
  ...accessWithoutBody('feature:read', 404, 405),
  tag,
  id: 'listPendingChangeRequests',
  summary: 'List the pending change requests of a feature',
  method: 'GET',
  path: '/v2/projects/{project}/features/{feature}/change-requests',
  params: ofFeature,
  status: 200,
  response: z.array(ChangeRequest)
})

/** Get the latest change request of a feature. */
export const getLatestChangeRequest = defineOperation({
  ...accessWithoutBody('feature:read', 404, 405),
  tag,
  id: 'getLatestChangeRequest',
  summary: 'Get the latest change request of a feature',
  description: 'Drafts do not count.',
  method: 'GET',
  path: '/v2/projects/{project}/features/{feature}/change-requests/latest',
  params: ofFeature,
  status: 200,
  response: ChangeRequest
})

/** Get a change request. */
export const getChangeRequest = defineOperation({
  ...accessWithoutBody('feature:read', 404, 405),
  tag,
  id: 'getChangeRequest',
  summary: 'Get a change request',
  method: 'GET',
  path: '/v2/projects/{project}/features/{feature}/change-requests/{id}',
  params,
  status: 200,
  response: ChangeRequest
})

/** Update a change request. */
export const updateChangeRequest = defineOperation({
  ...accessWithBody('feature:write', 404, 405, 409, 412),
  tag,
  id: 'updateChangeRequest',
  summary: 'Update a change request',
  description:
    'Replaces the requested change, until the request is applied, rejected or cancelled. Only the creator can do this. The request becomes a draft based on the current state of the feature, and loses its approvals.',
  method: 'PATCH',
  path: '/v2/projects/{project}/features/{feature}/change-requests/{id}',
  params,
  body: UpdateChangeRequest,
  status: 200,
  response: ChangeRequest
})

/** Rebase a change request. */
export const rebaseChangeRequest = defineOperation({
  ...accessWithoutBody('feature:write', 404, 405, 409, 412),
  tag,
  id: 'rebaseChangeRequest',
  summary: 'Rebase a change request',
  description:
    'Bases the request on the current state of the feature after that has changed. Only the creator can do this. The request becomes a draft with its current effect.',
  method: 'PATCH',
  path: '/v2/projects/{project}/features/{feature}/change-requests/{id}/rebase',
  params,
  status: 200,
  response: ChangeRequest
})

/** Schedule an approved change request. */
export const scheduleChangeRequest = defineOperation({
  ...accessWithBody('feature:write', 404, 405, 409, 412),
  tag,
  id: 'scheduleChangeRequest',
  summary: 'Schedule an approved change request',
  description:
    'Only callers who can apply the request can schedule it. `null` cancels the schedule. At the given time, the server applies the request on behalf of the caller, with the permissions that the caller has then. If that fails, `scheduleFailure` has the reason.',
  method: 'PATCH',
  path: '/v2/projects/{project}/features/{feature}/change-requests/{id}/schedule',
  params,
  body: ScheduleChangeRequest,
  status: 200,
  response: ChangeRequest
})

/** Submit a change request for review. */
export const submitChangeRequest = defineOperation({
  ...accessWithBody('feature:write', 404, 405),
  tag,
  id: 'submitChangeRequest',
  summary: 'Submit a change request for review',
  description: 'The feature is locked while a change request is pending or approved.',
  method: 'PATCH',
  path: '/v2/projects/{project}/features/{feature}/change-requests/{id}/submit',
  params,
  body: SubmitChangeRequest,
  status: 200,
  response: ChangeRequest
})

/** Review a change request. */
export const reviewChangeRequest = defineOperation({
  ...accessWithBody('feature:publish', 404, 405, 409, 412),
  tag,
  id: 'reviewChangeRequest',
  summary: 'Review a change request',
  description:
    'Approves or rejects a pending change request. It is approved when as many people as the project requires have approved its content; clients count as the person who created them. A rejection needs a comment. The creator can reject the request, and approve it only if the project sets `allowPublisherBypass`. A request that was applied in an emergency can be approved later.',
  method: 'PATCH',
  path: '/v2/projects/{project}/features/{feature}/change-requests/{id}/review',
  params,
  query: DryRun.extend({
    apply: z
      .stringbool()
      .optional()
      .meta({ description: 'Whether to apply the request once it is approved. Default: false.' })
  }),
  body: ReviewChangeRequest,
  status: 200
})

/** Apply a change request. */
export const applyChangeRequest = defineOperation({
  ...accessWithBody('feature:write', 404, 405, 409, 412),
  tag,
  id: 'applyChangeRequest',
  summary: 'Apply a change request',
  description:
    'Approved requests can be applied by their creator and by callers with `feature:publish`. With `allowPublisherBypass`, the latter can also apply requests without approval, and give the reason in the description. With `emergency`, callers with `feature:publish` apply a request without approvals. Returns 412 if fewer current reviewers than required have approved this content, and 409 if the feature has changed since the request was created.',
  method: 'PATCH',
  path: '/v2/projects/{project}/features/{feature}/change-requests/{id}/apply',
  params,
  query: DryRun,
  body: ApplyChangeRequest,
  status: 200
})

/** Cancel a change request. */
export const cancelChangeRequest = defineOperation({
  ...accessWithoutBody('feature:write', 404, 405),
  tag,
  id: 'cancelChangeRequest',
  summary: 'Cancel a change request',
  description: 'Requests can be cancelled by their creator and by callers with `feature:publish`.',
  method: 'PATCH',
  path: '/v2/projects/{project}/features/{feature}/change-requests/{id}/cancel',
  params,
  status: 200
})
