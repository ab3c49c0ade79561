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
    'Evaluations with `enableEdgeDB=true` merge the stored properties with those of the request, which take precedence. `customData` is merged with the stored `customData`; `null` removes a member. Evaluations with server keys ignore what was stored with client and mobile keys, unless the project setting `trustClientWrites` is on. These keys get 429 when one network sends too many bytes per minute, or when the project has too many stored users.',
  tag: 'Edge data',
  method: 'PATCH',
  path: '/v1/edgedb/{user_id}',
  aliases: ['/v1/edgeDB/{user_id}'],
  params: z.object({ user_id: UserId }),
  query: SdkKeyQuery,
  body: EdgeUser,
  readsBody: true,
  rateLimit: 'userData',
  status: 200,
  response: Message,
  errors: { ...commonErrors, ...bodyErrors, ...writeErrors, 404: ErrorBody, 429: ErrorBody },
  credential: { type: 'sdkKey', keyTypes: sdkKeyTypes, inQuery: true }
})
