import { z } from 'zod'
import { defineOperation, sdkKeyTypes } from '../../operation.ts'
import { bodyErrors, commonErrors, ErrorBody, Message } from '../../schema/common/error.ts'
import { SdkKeyQuery } from '../../schema/common/query.ts'
import { OptInChoices, OptInConfig } from '../../schema/evaluation/optIn.ts'
import { UserId } from '../../schema/evaluation/user.ts'
import { UserHashHeaders } from '../../schema/evaluation/userHash.ts'

const shared = {
  tag: 'Opt-in',
  headers: UserHashHeaders,
  errors: commonErrors,
  credential: { type: 'sdkKey', keyTypes: sdkKeyTypes, inQuery: true }
} as const

/** Get the opt-in features of a user. */
export const getOptInConfig = defineOperation({
  ...shared,
  id: 'getOptInConfig',
  summary: 'Get the opt-in features of a user',
  method: 'GET',
  path: '/v1/optInConfig',
  query: SdkKeyQuery.extend({ user_id: UserId }),
  user: 'query',
  status: 200,
  response: OptInConfig
})

/** Opt a user in or out of features. */
export const updateOptIns = defineOperation({
  ...shared,
  id: 'updateOptIns',
  summary: 'Opt a user in or out of features',
  description:
    'Features that are not listed keep their choices. Evaluations with server keys ignore choices made with client and mobile keys, unless the project setting `trustClientWrites` is on. These keys get 429 when one network sends too many bytes per minute, or when the environment has too many stored users.',
  method: 'PUT',
  path: '/v1/optIns/{user_id}',
  params: z.object({ user_id: UserId }),
  query: SdkKeyQuery,
  user: 'path',
  body: OptInChoices,
  readsBody: true,
  rateLimit: 'userData',
  status: 200,
  response: Message,
  errors: { ...commonErrors, ...bodyErrors, 429: ErrorBody }
})

/** Check whether a user has opted in to a feature. */
export const hasOptIn = defineOperation({
  ...shared,
  id: 'hasOptIn',
  summary: 'Check whether a user has opted in to a feature',
  description: 'Returns 204 if the user has opted in to none of the available features.',
  method: 'GET',
  path: '/v1/optIns/{user_id}/hasEnabled',
  params: z.object({ user_id: UserId }),
  query: SdkKeyQuery,
  user: 'path',
  status: 200,
  response: Message,
  noContent: 204
})
