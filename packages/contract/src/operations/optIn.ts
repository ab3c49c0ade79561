import { z } from 'zod'
import { defineOperation, sdkKeyTypes } from '../operation.ts'
import { bodyErrors, commonErrors, Message, writeErrors } from '../schema/error.ts'
import { OptInChoices, OptInConfig } from '../schema/optIn.ts'
import { SdkKeyQuery } from '../schema/sdkKeyQuery.ts'
import { UserId } from '../schema/user.ts'

const shared = {
  tag: 'Opt-in',
  errors: commonErrors,
  credential: { type: 'sdkKey', keyTypes: sdkKeyTypes, inQuery: true }
} as const

/** What a user can opt in to. */
export const getOptInConfig = defineOperation({
  ...shared,
  id: 'getOptInConfig',
  summary: 'Get what a user can opt in to',
  method: 'GET',
  path: '/v1/optInConfig',
  query: SdkKeyQuery.extend({ user_id: UserId }),
  status: 200,
  response: OptInConfig
})

/** A user's choices. */
export const updateOptIns = defineOperation({
  ...shared,
  id: 'updateOptIns',
  summary: 'Opt a user in to features, or out of them',
  description: 'Choices about features that are not listed stay as they are.',
  method: 'PUT',
  path: '/v1/optIns/{user_id}',
  params: z.object({ user_id: UserId }),
  query: SdkKeyQuery,
  body: OptInChoices,
  readsBody: true,
  status: 200,
  response: Message,
  errors: { ...commonErrors, ...bodyErrors, ...writeErrors }
})

/** Whether a user has opted in to anything. */
export const hasOptIn = defineOperation({
  ...shared,
  id: 'hasOptIn',
  summary: 'Ask whether a user has opted in to anything',
  description: 'Answers 204 when the user has opted in to nothing that is open to opting in here.',
  method: 'GET',
  path: '/v1/optIns/{user_id}/hasEnabled',
  params: z.object({ user_id: UserId }),
  query: SdkKeyQuery,
  status: 200,
  response: Message,
  noContent: 204
})
