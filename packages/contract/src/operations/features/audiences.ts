import { z } from 'zod'
import { defineOperation } from '../../operation.ts'
import { Pagination } from '../../schema/common/pagination.ts'
import { AudienceReference, ProjectReference } from '../../schema/common/references.ts'
import {
  Audience,
  AudienceInstructions,
  AudienceUsage,
  CreateAudience,
  UpdateAudience
} from '../../schema/features/audience.ts'
import { accessWithBody, accessWithoutBody, ifMatch, newRevision, withRevision } from '../operationAccess.ts'

const tag = 'Audiences'
const inProject = z.object({ project: ProjectReference })
const params = z.object({ project: ProjectReference, key: AudienceReference })

/** Create an audience. */
export const createAudience = defineOperation({
  ...accessWithBody('audience:write', 404, 409, 412),
  ...withRevision,
  tag,
  id: 'createAudience',
  summary: 'Create an audience',
  method: 'POST',
  path: '/v1/projects/{project}/audiences',
  params: inProject,
  body: CreateAudience,
  status: 201,
  response: Audience
})

/** List audiences. */
export const listAudiences = defineOperation({
  ...accessWithoutBody('audience:read', 404),
  tag,
  id: 'listAudiences',
  summary: 'List audiences',
  method: 'GET',
  path: '/v1/projects/{project}/audiences',
  params: inProject,
  query: Pagination.extend({
    includeUsage: z.stringbool().optional().meta({ description: 'Whether to include `hasUsage`. Default: false.' })
  }),
  status: 200,
  response: z.array(Audience),
  responseKind: 'list'
})

/** Get an audience. */
export const getAudience = defineOperation({
  ...accessWithoutBody('audience:read', 404),
  ...withRevision,
  tag,
  id: 'getAudience',
  summary: 'Get an audience',
  method: 'GET',
  path: '/v1/projects/{project}/audiences/{key}',
  params,
  status: 200,
  response: Audience
})

/** Update an audience. */
export const updateAudience = defineOperation({
  ...accessWithBody('audience:write', 404, 409, 412),
  ...newRevision,
  tag,
  id: 'updateAudience',
  summary: 'Update an audience',
  description: 'Returns 400 if audiences would refer to each other in a cycle.',
  method: 'PATCH',
  path: '/v1/projects/{project}/audiences/{key}',
  params,
  body: UpdateAudience,
  status: 200,
  response: Audience
})

/** Delete an audience. */
export const deleteAudience = defineOperation({
  ...accessWithoutBody('audience:delete', 404, 412),
  ...ifMatch,
  tag,
  id: 'deleteAudience',
  summary: 'Delete an audience',
  description: 'Returns 412 if a target or another audience refers to the audience.',
  method: 'DELETE',
  path: '/v1/projects/{project}/audiences/{key}',
  params,
  status: 200
})

/** List the features and audiences that refer to an audience. */
export const getAudienceUsage = defineOperation({
  ...accessWithoutBody('audience:read', 404),
  tag,
  id: 'getAudienceUsage',
  summary: 'List the features and audiences that refer to an audience',
  method: 'GET',
  path: '/v1/projects/{project}/audiences/{key}/usage',
  params,
  status: 200,
  response: AudienceUsage
})

/** Add or remove filter values of an audience. */
export const patchAudience = defineOperation({
  ...accessWithBody('audience:write', 404, 412),
  ...newRevision,
  tag,
  id: 'patchAudience',
  summary: 'Add or remove filter values of an audience',
  description: 'Adding a value that exists, or removing one that does not, has no effect.',
  method: 'PATCH',
  path: '/v1/semantic/projects/{project}/audiences/{key}',
  params,
  body: AudienceInstructions,
  status: 200,
  response: Audience
})
