import { z } from 'zod'
import { defineOperation } from '../operation.ts'
import {
  ApplyChangeRequest,
  ChangeRequest,
  ChangeRequestStatus,
  CreateChangeRequest,
  ProjectChangeRequest,
  ReviewChangeRequest,
  ScheduleChangeRequest,
  SubmitChangeRequest,
  UpdateChangeRequest
} from '../schema/changeRequest.ts'
import { IdReference, Reference } from '../schema/fields.ts'
import { Pagination } from '../schema/pagination.ts'
import { commandAccess, readAccess, writeAccess } from './operationAccess.ts'

const tag = 'Change requests'
const ofFeature = z.object({ project: Reference, feature: Reference })
const params = ofFeature.extend({ id: IdReference })

/** The change requests of a project. */
export const listChangeRequests = defineOperation({
  ...readAccess('feature:read', 404, 405),
  tag,
  id: 'listChangeRequests',
  summary: 'List the change requests of a project',
  description: 'Drafts are listed to those who made them.',
  method: 'GET',
  path: '/v2/projects/{project}/change-requests',
  params: z.object({ project: Reference }),
  query: Pagination.extend({
    status: ChangeRequestStatus.optional(),
    reviewer: z.string().optional().meta({ description: 'Keeps those that ask this user for a review.' })
  }),
  status: 200,
  response: z.array(ProjectChangeRequest),
  responseKind: 'list'
})

/** A new change request. */
export const createChangeRequest = defineOperation({
  ...writeAccess('feature:write', 404, 405, 409, 412),
  tag,
  id: 'createChangeRequest',
  summary: 'Create a change request',
  description: 'It is a draft until it is submitted. There can be several drafts, and one that is pending or approved.',
  method: 'POST',
  path: '/v2/projects/{project}/features/{feature}/change-requests',
  params: ofFeature,
  body: CreateChangeRequest,
  status: 201,
  response: ChangeRequest
})

/** The change requests of a feature that wait for a review. */
export const listPendingChangeRequests = defineOperation({
  ...readAccess('feature:read', 404, 405),
  tag,
  id: 'listPendingChangeRequests',
  summary: 'List the pending change requests of a feature',
  method: 'GET',
  path: '/v2/projects/{project}/features/{feature}/change-requests',
  params: ofFeature,
  status: 200,
  response: z.array(ChangeRequest)
})

/** The newest change request of a feature that is no draft. */
export const getLatestChangeRequest = defineOperation({
  ...readAccess('feature:read', 404, 405),
  tag,
  id: 'getLatestChangeRequest',
  summary: 'Get the newest change request of a feature that is no draft',
  method: 'GET',
  path: '/v2/projects/{project}/features/{feature}/change-requests/latest',
  params: ofFeature,
  status: 200,
  response: ChangeRequest
})

/** One change request. */
export const getChangeRequest = defineOperation({
  ...readAccess('feature:read', 404, 405),
  tag,
  id: 'getChangeRequest',
  summary: 'Get a change request',
  method: 'GET',
  path: '/v2/projects/{project}/features/{feature}/change-requests/{id}',
  params,
  status: 200,
  response: ChangeRequest
})

/** Another content of a change request. */
export const updateChangeRequest = defineOperation({
  ...writeAccess('feature:write', 404, 405, 409, 412),
  tag,
  id: 'updateChangeRequest',
  summary: 'Change what a change request asks for',
  description:
    'Beyond the specification. For whoever made it, until it is applied, rejected or cancelled. It is a draft again, made from the feature as it is, and no approval of what it was holds for what it is.',
  method: 'PATCH',
  path: '/v2/projects/{project}/features/{feature}/change-requests/{id}',
  params,
  body: UpdateChangeRequest,
  status: 200,
  response: ChangeRequest
})

/** A change request for the feature as it is. */
export const rebaseChangeRequest = defineOperation({
  ...commandAccess('feature:write', 404, 405, 409, 412),
  tag,
  id: 'rebaseChangeRequest',
  summary: 'Base a change request on the feature as it is now',
  description:
    'Beyond the specification. For whoever made it, when the feature has changed since. It is a draft again, with the changes that it would make now, for a fresh review.',
  method: 'PATCH',
  path: '/v2/projects/{project}/features/{feature}/change-requests/{id}/rebase',
  params,
  status: 200,
  response: ChangeRequest
})

/** When an approved change request is applied. */
export const scheduleChangeRequest = defineOperation({
  ...writeAccess('feature:write', 404, 405, 409, 412),
  tag,
  id: 'scheduleChangeRequest',
  summary: 'Say when an approved change request is applied',
  description:
    'Beyond the specification. For those who could apply it now. `null` takes the moment back. At that moment it is applied for the caller as if they did so then; what would be refused then is told in `scheduleFailure`.',
  method: 'PATCH',
  path: '/v2/projects/{project}/features/{feature}/change-requests/{id}/schedule',
  params,
  body: ScheduleChangeRequest,
  status: 200,
  response: ChangeRequest
})

/** A draft's way to its reviewers. */
export const submitChangeRequest = defineOperation({
  ...writeAccess('feature:write', 404, 405),
  tag,
  id: 'submitChangeRequest',
  summary: 'Submit a draft for review',
  description: 'While a change request is pending, nobody can change the feature.',
  method: 'PATCH',
  path: '/v2/projects/{project}/features/{feature}/change-requests/{id}/submit',
  params,
  body: SubmitChangeRequest,
  status: 200,
  response: ChangeRequest
})

/** A reviewer's word on a change request. */
export const reviewChangeRequest = defineOperation({
  ...writeAccess('feature:publish', 404, 405, 409, 412),
  tag,
  id: 'reviewChangeRequest',
  summary: 'Approve or reject a pending change request',
  description:
    'A rejection needs a comment. Whoever made a change request can reject it, and approve it only where the project lets those who publish bypass approval.',
  method: 'PATCH',
  path: '/v2/projects/{project}/features/{feature}/change-requests/{id}/review',
  params,
  query: z.object({
    apply: z
      .stringbool()
      .optional()
      .meta({ description: 'true or false: whether what is approved is applied at once. Default: false.' })
  }),
  body: ReviewChangeRequest,
  status: 200
})

/** A change request's effect on the feature. */
export const applyChangeRequest = defineOperation({
  ...writeAccess('feature:write', 404, 405, 409, 412),
  tag,
  id: 'applyChangeRequest',
  summary: 'Apply a change request',
  description:
    'An approved one can be applied by whoever made it, and by those who publish features; they can apply one that nobody approved where the project allows it, and say why in the description. Answers 412 when nobody who could approve it now has approved exactly this, and 409 when the feature has changed since the request was made.',
  method: 'PATCH',
  path: '/v2/projects/{project}/features/{feature}/change-requests/{id}/apply',
  params,
  body: ApplyChangeRequest,
  status: 200
})

/** A change request's early end. */
export const cancelChangeRequest = defineOperation({
  ...commandAccess('feature:write', 404, 405),
  tag,
  id: 'cancelChangeRequest',
  summary: 'Cancel a change request',
  description: 'Whoever made it can, and those who publish features.',
  method: 'PATCH',
  path: '/v2/projects/{project}/features/{feature}/change-requests/{id}/cancel',
  params,
  status: 200
})
