import { z } from 'zod'
import { defineOperation } from '../operation.ts'
import { Reference } from '../schema/fields.ts'
import { Pagination } from '../schema/pagination.ts'
import {
  CreateVariable,
  UpdateVariable,
  UpdateVariableStatus,
  Variable,
  VariableStatus,
  VariableType
} from '../schema/variable.ts'
import { commandAccess, readAccess, writeAccess } from './operationAccess.ts'

const tag = 'Variables'
const inProject = z.object({ project: Reference })
const params = z.object({ project: Reference, key: Reference })

/** A new variable. */
export const createVariable = defineOperation({
  ...writeAccess('variable:write', 404, 409, 412),
  tag,
  id: 'createVariable',
  summary: 'Create a variable',
  description: 'With `_feature` it is added to that feature, with a value in each of its variations.',
  method: 'POST',
  path: '/v1/projects/{project}/variables',
  params: inProject,
  body: CreateVariable,
  status: 201,
  response: Variable
})

/** The variables of a project. */
export const listVariables = defineOperation({
  ...readAccess('variable:read', 404),
  tag,
  id: 'listVariables',
  summary: 'List the variables of a project',
  method: 'GET',
  path: '/v1/projects/{project}/variables',
  params: inProject,
  query: Pagination.extend({
    feature: Reference.optional().meta({ description: 'Keeps the variables of this feature, by key or id.' }),
    type: VariableType.optional(),
    status: VariableStatus.optional()
  }),
  status: 200,
  response: z.array(Variable),
  responseKind: 'list'
})

/** One variable. */
export const getVariable = defineOperation({
  ...readAccess('variable:read', 404),
  tag,
  id: 'getVariable',
  summary: 'Get a variable',
  method: 'GET',
  path: '/v1/projects/{project}/variables/{key}',
  params,
  status: 200,
  response: Variable
})

/** Changes of a variable. */
export const updateVariable = defineOperation({
  ...writeAccess('variable:write', 404, 409, 412),
  tag,
  id: 'updateVariable',
  summary: 'Update a variable',
  description:
    'Answers 400 when values in variations do not fit a new validationSchema, and 412 when they do not fit a new type.',
  method: 'PATCH',
  path: '/v1/projects/{project}/variables/{key}',
  params,
  body: UpdateVariable,
  status: 200,
  response: Variable
})

/** The end of a variable. */
export const deleteVariable = defineOperation({
  ...commandAccess('variable:write', 404, 412),
  tag,
  id: 'deleteVariable',
  summary: 'Delete a variable',
  description: 'Answers 412 while it belongs to a feature.',
  method: 'DELETE',
  path: '/v1/projects/{project}/variables/{key}',
  params,
  status: 200
})

/** Whether a variable is in use or put away. */
export const updateVariableStatus = defineOperation({
  ...writeAccess('variable:write', 404, 412),
  tag,
  id: 'updateVariableStatus',
  summary: 'Archive a variable, or take it out of the archive',
  description: 'Answers 412 when a variable that belongs to a feature is to be archived.',
  method: 'PATCH',
  path: '/v1/projects/{project}/variables/{key}/status',
  params,
  body: UpdateVariableStatus,
  status: 200,
  response: Variable
})
