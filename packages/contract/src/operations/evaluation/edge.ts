import { z } from 'zod'
import { defineOperation, sdkKeyTypes } from '../../operation.ts'
import { bodyErrors, commonErrors, ErrorBody, Message } from '../../schema/common/error.ts'
import { SdkKeyQuery } from '../../schema/common/query.ts'
import { EdgeUser, UserId } from '../../schema/evaluation/user.ts'
import { UserHashHeaders } from '../../schema/evaluation/userHash.ts'
import { UserDataErasure } from '../../schema/projects/userData.ts'

/** Erase what is stored about a user. */
export const deleteEdgeUser = defineOperation({
  id: 'deleteEdgeUser',
  summary: 'Erase what is stored about a user',
  description:
    'Removes the stored properties of a user, which belong to the project, and in the environment of the key the opt-in choices and overrides; a random id replaces the id in its exposures and events, so that counts stay. When the response arrives, no file of the store contains this data. If the response is not 200, repeat the request. The management API erases a user in all environments. 429 while too many erasures are queued.',
  tag: 'Edge data',
  method: 'DELETE',
  path: '/v1/edgedb/{user_id}',
  aliases: ['/v1/edgeDB/{user_id}'],
  params: z.object({ user_id: UserId }),
  status: 200,
  response: UserDataErasure,
  errors: { ...commonErrors, 429: ErrorBody },
  credential: { type: 'sdkKey', keyTypes: ['server'] }
})

/** Store properties of a user. */
export const updateEdgeUser = defineOperation({
  id: 'updateEdgeUser',
  summary: 'Store properties of a user',
  description:
    'Evaluations with `enableEdgeDB=true` merge the stored properties with those of the request, which take precedence. `customData` is merged with the stored `customData`; `null` removes a member. Evaluations with server keys ignore what was stored with client and mobile keys, unless the project setting `trustClientWrites` is on. These keys get 429 when one network sends too many bytes per minute, or when the project has too many stored users.',
  tag: 'Edge data',
  method: 'PATCH',
  path: '/v1/edgedb/{user_id}',
  aliases: ['/v1/edgeDB/{user_id}'],
  params: z.object({ user_id: UserId }),
  query: SdkKeyQuery,
  headers: UserHashHeaders,
  user: 'path',
  body: EdgeUser,
  readsBody: true,
  rateLimit: 'userData',
  status: 200,
  response: Message,
  errors: { ...commonErrors, ...bodyErrors, 404: ErrorBody, 429: ErrorBody },
  credential: { type: 'sdkKey', keyTypes: sdkKeyTypes, inQuery: true }
})
