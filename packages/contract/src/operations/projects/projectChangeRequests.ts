import { z } from 'zod'
import { defineOperation } from '../../operation.ts'
import { IdReference } from '../../schema/common/fields.ts'
import { ProjectReference } from '../../schema/common/references.ts'
import { projectChange } from '../../schema/examples/checkout.ts'
import {
  ApplyChangeRequest,
  CreateProjectChangeRequest,
  ProjectChangeRequest,
  ReviewChangeRequest,
  ScheduleChangeRequest,
  SubmitChangeRequest,
  UpdateChangeRequest
} from '../../schema/projects/changeRequest.ts'
import { applyChangeRequest, reviewChangeRequest } from '../features/changeRequests.ts'
import { accessWithBody, accessWithoutBody } from '../operationAccess.ts'

const tag = 'Change requests'
const params = z.object({ project: ProjectReference.meta({ example: 'payments' }), id: IdReference })

/** Create a change request of a project. */
export const createProjectChangeRequest = defineOperation({
  ...accessWithBody('feature:write', 404, 405, 409, 412),
  tag,
  id: 'createProjectChangeRequest',
  summary: 'Create a change request of a project',
  description:
    'For changing settings of the project, changing the type or signed users of a protected environment or deleting it, deleting the project, and changing filters of audiences. Requires the permission of the wrapped operation, except for `feature:publish`. It starts as a draft.',
  method: 'POST',
  path: '/v2/projects/{project}/change-requests',
  params: params.pick({ project: true }),
  body: CreateProjectChangeRequest,
  status: 201,
  response: ProjectChangeRequest
})

/** Get a change request of a project. */
export const getProjectChangeRequest = defineOperation({
  ...accessWithoutBody('feature:read', 404, 405),
  tag,
  id: 'getProjectChangeRequest',
  summary: 'Get a change request of a project',
  method: 'GET',
  path: '/v2/projects/{project}/change-requests/{id}',
  params,
  status: 200,
  response: ProjectChangeRequest
})

/** Update a change request of a project. */
export const updateProjectChangeRequest = defineOperation({
  ...accessWithBody('feature:write', 404, 405, 409, 412),
  tag,
  id: 'updateProjectChangeRequest',
  summary: 'Update a change request of a project',
  description: 'Replaces the body of the requested change. Only the creator can do this. The request becomes a draft.',
  method: 'PATCH',
  path: '/v2/projects/{project}/change-requests/{id}',
  params,
  body: UpdateChangeRequest.meta({ id: 'UpdateProjectChangeRequest', example: { body: projectChange } }),
  status: 200,
  response: ProjectChangeRequest
})

/** Rebase a change request of a project. */
export const rebaseProjectChangeRequest = defineOperation({
  ...accessWithoutBody('feature:write', 404, 405, 409, 412),
  tag,
  id: 'rebaseProjectChangeRequest',
  summary: 'Rebase a change request of a project',
  description: 'Only the creator can do this. The request becomes a draft with its current effect.',
  method: 'PATCH',
  path: '/v2/projects/{project}/change-requests/{id}/rebase',
  params,
  status: 200,
  response: ProjectChangeRequest
})

/** Submit a change request of a project for review. */
export const submitProjectChangeRequest = defineOperation({
  ...accessWithBody('feature:write', 404, 405),
  tag,
  id: 'submitProjectChangeRequest',
  summary: 'Submit a change request of a project for review',
  method: 'PATCH',
  path: '/v2/projects/{project}/change-requests/{id}/submit',
  params,
  body: SubmitChangeRequest,
  status: 200,
  response: ProjectChangeRequest
})

/** Review a change request of a project. */
export const reviewProjectChangeRequest = defineOperation({
  ...accessWithBody('feature:publish', 404, 405, 409, 412),
  tag,
  id: 'reviewProjectChangeRequest',
  summary: 'Review a change request of a project',
  description: 'Requires `feature:publish` and the permission of the wrapped operation.',
  method: 'PATCH',
  path: '/v2/projects/{project}/change-requests/{id}/review',
  params,
  query: reviewChangeRequest.query,
  body: ReviewChangeRequest,
  status: 200
})

/** Schedule an approved change request of a project. */
export const scheduleProjectChangeRequest = defineOperation({
  ...accessWithBody('feature:write', 404, 405, 409, 412),
  tag,
  id: 'scheduleProjectChangeRequest',
  summary: 'Schedule an approved change request of a project',
  description:
    'At the given time, the server applies the request on behalf of the caller. `null` cancels the schedule.',
  method: 'PATCH',
  path: '/v2/projects/{project}/change-requests/{id}/schedule',
  params,
  body: ScheduleChangeRequest,
  status: 200,
  response: ProjectChangeRequest
})

/** Apply a change request of a project. */
export const applyProjectChangeRequest = defineOperation({
  ...accessWithBody('feature:write', 404, 405, 409, 412),
  tag,
  id: 'applyProjectChangeRequest',
  summary: 'Apply a change request of a project',
  description:
    'Approved requests can be applied by their creator and by callers who can review them. With `emergency`, the latter can apply requests without approvals. Returns 412 if fewer current reviewers than required have approved this content, and 409 if its effect has changed since.',
  method: 'PATCH',
  path: '/v2/projects/{project}/change-requests/{id}/apply',
  params,
  query: applyChangeRequest.query,
  body: ApplyChangeRequest,
  status: 200
})

/** Cancel a change request of a project. */
export const cancelProjectChangeRequest = defineOperation({
  ...accessWithoutBody('feature:write', 404, 405),
  tag,
  id: 'cancelProjectChangeRequest',
  summary: 'Cancel a change request of a project',
  description: 'Requests can be cancelled by their creator and by callers who can review them.',
  method: 'PATCH',
  path: '/v2/projects/{project}/change-requests/{id}/cancel',
  params,
  status: 200
})
