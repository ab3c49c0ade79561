import { z } from 'zod'
import { defineOperation } from '../../operation.ts'
import { ProjectReference } from '../../schema/common/references.ts'
import { Management, UpdateManagement } from '../../schema/projects/management.ts'
import { accessWithBody, accessWithoutBody, newRevision, withRevision } from '../operationAccess.ts'

const tag = 'Projects as code'
const params = z.object({ project: ProjectReference, label: Management.shape.label })
const path = '/v1/projects/{project}/management/{label}'

/** List the members of a project that files describe. */
export const listManagement = defineOperation({
  ...accessWithoutBody('feature:read', 404),
  tag,
  id: 'listManagement',
  summary: 'List the members that files describe',
  description: 'One item for each label.',
  method: 'GET',
  path: '/v1/projects/{project}/management',
  params: params.pick({ project: true }),
  status: 200,
  response: z.array(Management)
})

/** Get the members that the files of a label describe. */
export const getManagement = defineOperation({
  ...accessWithoutBody('feature:read', 404),
  ...withRevision,
  tag,
  id: 'getManagement',
  summary: 'Get the members that the files of a label describe',
  description: 'A label without any has no resources.',
  method: 'GET',
  path,
  params,
  status: 200,
  response: Management
})

/** Update the members that the files of a label describe. */
export const updateManagement = defineOperation({
  ...accessWithBody('feature:write', 404, 409, 412),
  ...newRevision,
  tag,
  id: 'updateManagement',
  summary: 'Update the members that the files of a label describe',
  description:
    'Changes who manages members, and not the members themselves. Also requires the permission to change each listed resource. Returns 409 `ERR_MANAGED` if another label manages one of them, unless `takeOver` is set.',
  method: 'PATCH',
  path,
  params,
  body: UpdateManagement,
  status: 200,
  response: Management
})
