import { z } from 'zod'
import { defineOperation } from '../../operation.ts'
import { Pagination } from '../../schema/common/pagination.ts'
import { CustomPropertyReference, ProjectReference } from '../../schema/common/references.ts'
import { CreateCustomProperty, CustomProperty, UpdateCustomProperty } from '../../schema/projects/customProperty.ts'
import { accessWithBody, accessWithoutBody, ifMatch, newRevision, withRevision } from '../operationAccess.ts'

const tag = 'Custom properties'
const inProject = z.object({ project: ProjectReference })
const params = z.object({ project: ProjectReference, key: CustomPropertyReference })

/** Create a custom property. */
export const createCustomProperty = defineOperation({
  ...accessWithBody('feature:write', 404, 409),
  ...withRevision,
  tag,
  id: 'createCustomProperty',
  summary: 'Create a custom property',
  method: 'POST',
  path: '/v1/projects/{project}/customProperties',
  params: inProject,
  body: CreateCustomProperty,
  status: 201,
  response: CustomProperty
})

/** List custom properties. */
export const listCustomProperties = defineOperation({
  ...accessWithoutBody('feature:read', 404),
  tag,
  id: 'listCustomProperties',
  summary: 'List custom properties',
  method: 'GET',
  path: '/v1/projects/{project}/customProperties',
  params: inProject,
  query: Pagination.omit({ createdBy: true }).extend({
    type: CustomProperty.shape.type.optional(),
    includeUsage: z.stringbool().optional().meta({ description: 'Whether to include `hasUsage`. Default: false.' })
  }),
  status: 200,
  response: z.array(CustomProperty),
  responseKind: 'list'
})

/** Get a custom property. */
export const getCustomProperty = defineOperation({
  ...accessWithoutBody('feature:read', 404),
  ...withRevision,
  tag,
  id: 'getCustomProperty',
  summary: 'Get a custom property',
  method: 'GET',
  path: '/v1/projects/{project}/customProperties/{key}',
  params,
  status: 200,
  response: CustomProperty
})

/** Update a custom property. */
export const updateCustomProperty = defineOperation({
  ...accessWithBody('feature:write', 404, 409, 412),
  ...newRevision,
  tag,
  id: 'updateCustomProperty',
  summary: 'Update a custom property',
  method: 'PATCH',
  path: '/v1/projects/{project}/customProperties/{key}',
  params,
  body: UpdateCustomProperty,
  status: 200,
  response: CustomProperty
})

/** Delete a custom property. */
export const deleteCustomProperty = defineOperation({
  ...accessWithoutBody('feature:delete', 404, 412),
  ...ifMatch,
  tag,
  id: 'deleteCustomProperty',
  summary: 'Delete a custom property',
  description: 'Targets and audiences that use it keep working.',
  method: 'DELETE',
  path: '/v1/projects/{project}/customProperties/{key}',
  params,
  status: 200
})
