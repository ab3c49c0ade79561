import { z } from 'zod'
import { defineOperation } from '../../operation.ts'
import { Pagination } from '../../schema/common/pagination.ts'
import { FeatureReference, ProjectReference, VariableReference } from '../../schema/common/references.ts'
import {
  CreateVariable,
  UpdateVariable,
  UpdateVariableStatus,
  ValidateVariableValue,
  ValueChecks,
  Variable,
  VariableStatus,
  VariableType
} from '../../schema/features/variable.ts'
import { DryRun } from '../dryRun.ts'
import { accessWithBody, accessWithoutBody, ifMatch, newRevision, withRevision } from '../operationAccess.ts'

const tag = 'Variables'
const inProject = z.object({ project: ProjectReference })
const params = z.object({ project: ProjectReference, key: VariableReference })
/** The variable that the example of `createVariable` adds. */
const added = params.extend({ key: VariableReference.meta({ example: 'button-color' }) })

/** Create a variable. */
export const createVariable = defineOperation({
  ...accessWithBody('variable:write', 404, 409, 412),
  ...withRevision,
  tag,
  id: 'createVariable',
  summary: 'Create a variable',
  description: 'With `_feature`, the variable is added to that feature, with a value in each of its variations.',
  method: 'POST',
  path: '/v1/projects/{project}/variables',
  params: inProject,
  body: CreateVariable,
  status: 201,
  response: Variable
})

/** List variables. */
export const listVariables = defineOperation({
  ...accessWithoutBody('variable:read', 404),
  tag,
  id: 'listVariables',
  summary: 'List variables',
  method: 'GET',
  path: '/v1/projects/{project}/variables',
  params: inProject,
  query: Pagination.extend({
    feature: FeatureReference.optional().meta({ description: 'Variables of this feature. Its key or id.' }),
    type: VariableType.optional(),
    status: VariableStatus.optional().meta({ description: 'Only variables with this status. Default: all.' })
  }),
  status: 200,
  response: z.array(Variable),
  responseKind: 'list'
})

/** Get a variable. */
export const getVariable = defineOperation({
  ...accessWithoutBody('variable:read', 404),
  ...withRevision,
  tag,
  id: 'getVariable',
  summary: 'Get a variable',
  method: 'GET',
  path: '/v1/projects/{project}/variables/{key}',
  params,
  status: 200,
  response: Variable
})

/** Update a variable. */
export const updateVariable = defineOperation({
  ...accessWithBody('variable:write', 404, 409, 412),
  ...newRevision,
  tag,
  id: 'updateVariable',
  summary: 'Update a variable',
  description:
    'Returns 400 if values in variations violate the new `validationSchema`, and 412 if they do not have the new type.',
  method: 'PATCH',
  path: '/v1/projects/{project}/variables/{key}',
  params: added,
  body: UpdateVariable,
  status: 200,
  response: Variable
})

/** Delete a variable. */
export const deleteVariable = defineOperation({
  ...accessWithoutBody('variable:write', 404, 412),
  ...ifMatch,
  tag,
  id: 'deleteVariable',
  summary: 'Delete a variable',
  description: 'Returns 412 if the variable belongs to a feature.',
  method: 'DELETE',
  path: '/v1/projects/{project}/variables/{key}',
  params: added,
  query: DryRun,
  status: 200
})

/** Archive or restore a variable. */
export const updateVariableStatus = defineOperation({
  ...accessWithBody('variable:write', 404, 412),
  ...newRevision,
  tag,
  id: 'updateVariableStatus',
  summary: 'Archive or restore a variable',
  description: 'Returns 412 when archiving a variable that belongs to a feature.',
  method: 'PATCH',
  path: '/v1/projects/{project}/variables/{key}/status',
  params: added,
  body: UpdateVariableStatus,
  status: 200,
  response: Variable
})

/** Validate values of a variable. */
export const validateVariableValue = defineOperation({
  ...accessWithBody('variable:write', 404),
  tag,
  id: 'validateVariableValue',
  summary: 'Validate values of a variable',
  description:
    'Checks values by a type and a validation schema as a change of a feature would, and changes nothing. Returns 400 if the validation schema itself is not valid.',
  method: 'POST',
  path: '/v1/projects/{project}/variables/validate',
  params: inProject,
  body: ValidateVariableValue,
  status: 200,
  response: ValueChecks
})
