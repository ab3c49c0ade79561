import { z } from 'zod'
import { defineOperation } from '../../operation.ts'
import { bodyErrors, commonErrors, ErrorBody, Message } from '../../schema/common/error.ts'
import { Key } from '../../schema/common/key.ts'
import { EnableEdgeDB } from '../../schema/common/query.ts'
import { BucketedFeature, BucketedVariable } from '../../schema/evaluation/evaluation.ts'
import { PayloadHeaders, Track } from '../../schema/evaluation/event.ts'
import { User } from '../../schema/evaluation/user.ts'

const errors = { ...commonErrors, ...bodyErrors, 404: ErrorBody } as const

const shared = {
  tag: 'Bucketing',
  readsBody: true,
  errors,
  credential: { type: 'sdkKey', keyTypes: ['server'] }
} as const

const Switches = z.object({ enableEdgeDB: EnableEdgeDB })

/** Evaluate one variable for a user. */
export const evaluateVariable = defineOperation({
  ...shared,
  id: 'evaluateVariable',
  summary: 'Evaluate one variable for a user',
  description:
    'Returns 404 if the variable does not exist or is not served to this user; the application uses its default value.',
  method: 'POST',
  path: '/v1/variables/{key}',
  params: z.object({ key: Key }),
  query: Switches,
  body: User,
  status: 200,
  response: BucketedVariable
})

/** Evaluate all variables for a user. */
export const evaluateVariables = defineOperation({
  ...shared,
  id: 'evaluateVariables',
  summary: 'Evaluate all variables for a user',
  description: 'Returns the variables that are served to this user, by key.',
  method: 'POST',
  path: '/v1/variables',
  query: Switches,
  body: User,
  status: 200,
  response: z.record(z.string(), BucketedVariable)
})

/** Evaluate all features for a user. */
export const evaluateFeatures = defineOperation({
  ...shared,
  id: 'evaluateFeatures',
  summary: 'Evaluate all features for a user',
  description: 'Returns the features that are served to this user, by key.',
  method: 'POST',
  path: '/v1/features',
  query: Switches,
  body: User,
  status: 200,
  response: z.record(z.string(), BucketedFeature)
})

/** Track events of a user. */
export const track = defineOperation({
  ...shared,
  id: 'track',
  summary: 'Track events of a user',
  description: 'A file store has written the events when the response is sent.',
  method: 'POST',
  path: '/v1/track',
  query: Switches,
  headers: PayloadHeaders,
  body: Track,
  status: 201,
  response: Message,
  errors
})
