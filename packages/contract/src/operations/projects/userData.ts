import { z } from 'zod'
import { defineOperation } from '../../operation.ts'
import { ProjectReference } from '../../schema/common/references.ts'
import { UserId } from '../../schema/evaluation/user.ts'
import { UserDataErasure, UserDataRecord } from '../../schema/projects/userData.ts'
import { accessWithoutBody } from '../operationAccess.ts'

const shared = {
  tag: 'User data',
  path: '/v1/projects/{project}/user-data/{user_id}',
  params: z.object({ project: ProjectReference, user_id: UserId })
} as const

/** Export what is stored about a user. */
export const exportUserData = defineOperation({
  ...shared,
  ...accessWithoutBody('project:write:settings', 404),
  id: 'exportUserData',
  summary: 'Export what is stored about a user',
  description:
    'Edge data, opt-in choices, overrides, exposures and events of a user of your application, one JSON object per line. The first line has the type `user`; a user without data has only this line. 429 while too many exports are queued.',
  method: 'GET',
  status: 200,
  response: z.array(UserDataRecord),
  responseKind: 'lines',
  accessLog: 'export'
})

/** Erase what is stored about a user. */
export const eraseUserData = defineOperation({
  ...shared,
  ...accessWithoutBody('project:write:settings', 404),
  id: 'eraseUserData',
  summary: 'Erase what is stored about a user',
  description:
    'Removes edge data, opt-in choices and overrides of a user of your application in all environments of the project, deleted ones included, and replaces the id in exposures and events by a random one, so that counts stay. When the response arrives, no file of the store contains the id. The audit entry contains a keyed hash of it. If the response is not 200, repeat the request; it is 429 while too many erasures are queued.',
  method: 'DELETE',
  status: 200,
  response: UserDataErasure
})
