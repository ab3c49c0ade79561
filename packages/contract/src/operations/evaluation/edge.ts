import { z } from 'zod'
import { defineOperation, sdkKeyTypes } from '../../operation.ts'
import { bodyErrors, commonErrors, ErrorBody, Message, writeErrors } from '../../schema/common/error.ts'
import { SdkKeyQuery } from '../../schema/common/query.ts'
import { EdgeUser, UserId } from '../../schema/evaluation/user.ts'

/** Store properties of a user. */
export const updateEdgeUser = defineOperation({
  id: 'updateEdgeUser',
  summary: 'Store properties of a user',
  description:
    'Evaluations with `enableEdgeDB=true` merge the stored properties with those of the request, which take precedence. `customData` is merged with the stored `customData`; `null` removes a member.',
  tag: 'Edge data',
  method: 'PATCH',
  path: '/v1/edgedb/{user_id}',
  aliases: ['/v1/edgeDB/{user_id}'],
  params: z.object({ user_id: UserId }),
  query: SdkKeyQuery,
  body: EdgeUser,
  readsBody: true,
  status: 200,
  response: Message,
  errors: { ...commonErrors, ...bodyErrors, ...writeErrors, 404: ErrorBody },
  credential: { type: 'sdkKey', keyTypes: sdkKeyTypes, inQuery: true }
})
