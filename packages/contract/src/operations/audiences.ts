import { z } from 'zod'
import { defineOperation } from '../operation.ts'
import { Audience, AudienceInstructions, AudienceUsage, CreateAudience, UpdateAudience } from '../schema/audience.ts'
import { Reference } from '../schema/fields.ts'
import { Pagination } from '../schema/pagination.ts'
import { commandAccess, readAccess, writeAccess } from './operationAccess.ts'

const tag = 'Audiences'
const inProject = z.object({ project: Reference })
const params = z.object({ project: Reference, key: Reference })

/** A new audience. */
export const createAudience = defineOperation({
  ...writeAccess('audience:write', 404, 409),
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

/** The audiences of a project. */
export const listAudiences = defineOperation({
  ...readAccess('audience:read', 404),
  tag,
  id: 'listAudiences',
  summary: 'List the audiences of a project',
  method: 'GET',
  path: '/v1/projects/{project}/audiences',
  params: inProject,
  query: Pagination.extend({
    includeUsage: z
      .stringbool()
      .optional()
      .meta({ description: 'true or false: whether the answer says which are in use. Default: false.' })
  }),
  status: 200,
  response: z.array(Audience),
  responseKind: 'list'
})

/** One audience. */
export const getAudience = defineOperation({
  ...readAccess('audience:read', 404),
  tag,
  id: 'getAudience',
  summary: 'Get an audience',
  method: 'GET',
  path: '/v1/projects/{project}/audiences/{key}',
  params,
  status: 200,
  response: Audience
})

/** Changes of an audience. */
export const updateAudience = defineOperation({
  ...writeAccess('audience:write', 404, 409),
  tag,
  id: 'updateAudience',
  summary: 'Update an audience',
  description: 'Answers 400 when audiences would refer to each other in a circle.',
  method: 'PATCH',
  path: '/v1/projects/{project}/audiences/{key}',
  params,
  body: UpdateAudience,
  status: 200,
  response: Audience
})

/** The end of an audience. */
export const deleteAudience = defineOperation({
  ...commandAccess('audience:delete', 404, 412),
  tag,
  id: 'deleteAudience',
  summary: 'Delete an audience',
  description: 'Answers 412 while a target or another audience refers to it.',
  method: 'DELETE',
  path: '/v1/projects/{project}/audiences/{key}',
  params,
  status: 200
})

/** What refers to an audience. */
export const getAudienceUsage = defineOperation({
  ...readAccess('audience:read', 404),
  tag,
  id: 'getAudienceUsage',
  summary: 'List the features and audiences that refer to an audience',
  method: 'GET',
  path: '/v1/projects/{project}/audiences/{key}/usage',
  params,
  status: 200,
  response: AudienceUsage
})

/** Changes of single values of an audience. */
export const patchAudience = defineOperation({
  ...writeAccess('audience:write', 404),
  tag,
  id: 'patchAudience',
  summary: 'Add values to filters of an audience, or remove them',
  description: 'Adding a value that is there and removing one that is not change nothing.',
  method: 'PATCH',
  path: '/v1/semantic/projects/{project}/audiences/{key}',
  params,
  body: AudienceInstructions,
  status: 200,
  response: Audience
})
