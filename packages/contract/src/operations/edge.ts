import { z } from 'zod'
import { defineOperation, sdkKeyTypes } from '../operation.ts'
import { bodyErrors, commonErrors, ErrorBody, Message, writeErrors } from '../schema/error.ts'
import { SdkKeyQuery } from '../schema/sdkKeyQuery.ts'
import { EdgeUser, UserId } from '../schema/user.ts'

/** What is kept about a user, for evaluations that ask for it. */
export const updateEdgeUser = defineOperation({
  id: 'updateEdgeUser',
  summary: 'Keep properties of a user',
  description:
    'Evaluations with `enableEdgeDB=true` join what is kept with what they are given; the request wins. Members of customData join those that are kept, and null removes one.',
  tag: 'Edge data',
  method: 'PATCH',
  path: '/v1/edgedb/{user_id}',
  aliases: ['/v1/edgeDB/{user_id}'],
  params: z.object({ user_id: UserId }),
  query: SdkKeyQuery,
  body: EdgeUser,
  status: 200,
  response: Message,
  errors: { ...commonErrors, ...bodyErrors, ...writeErrors, 404: ErrorBody },
  credential: { type: 'sdkKey', keyTypes: sdkKeyTypes, inQuery: true }
})
