import { z } from 'zod'
import { defineOperation } from '../operation.ts'
import { EnableEdgeDB } from '../schema/enableEdgeDB.ts'
import { bodyErrors, commonErrors, ErrorBody, Message, writeErrors } from '../schema/error.ts'
import { BucketedFeature, BucketedVariable } from '../schema/evaluation.ts'
import { PayloadHeaders, Track } from '../schema/event.ts'
import { Key } from '../schema/key.ts'
import { User } from '../schema/user.ts'

// The specification lists 404 for all of them.
const errors = { ...commonErrors, ...bodyErrors, 404: ErrorBody } as const

const shared = {
  tag: 'Bucketing',
  readsBody: true,
  errors,
  credential: { type: 'sdkKey', keyTypes: ['server'] }
} as const

const Switches = z.object({ enableEdgeDB: EnableEdgeDB })

/** One variable for a user. */
export const evaluateVariable = defineOperation({
  ...shared,
  id: 'evaluateVariable',
  summary: 'Evaluate one variable for a user',
  description:
    'Answers 404 when the variable does not exist and when no rule serves it to this user: use your default.',
  method: 'POST',
  path: '/v1/variables/{key}',
  params: z.object({ key: Key }),
  query: Switches,
  body: User,
  status: 200,
  response: BucketedVariable
})

/** Every variable a user gets. */
export const evaluateVariables = defineOperation({
  ...shared,
  id: 'evaluateVariables',
  summary: 'Evaluate all variables for a user',
  description: 'Answers an object from variable key to variable, with the variables that are served to this user.',
  method: 'POST',
  path: '/v1/variables',
  query: Switches,
  body: User,
  status: 200,
  response: z.record(z.string(), BucketedVariable)
})

/** Every feature a user gets. */
export const evaluateFeatures = defineOperation({
  ...shared,
  id: 'evaluateFeatures',
  summary: 'Evaluate all features for a user',
  description: 'Answers an object from feature key to feature, with the features that are served to this user.',
  method: 'POST',
  path: '/v1/features',
  query: Switches,
  body: User,
  status: 200,
  response: z.record(z.string(), BucketedFeature)
})

/** Events of a user. */
export const track = defineOperation({
  ...shared,
  id: 'track',
  summary: 'Report events of a user',
  description: 'With a store on disk, the events are on it when the answer arrives.',
  method: 'POST',
  path: '/v1/track',
  query: Switches,
  headers: PayloadHeaders,
  body: Track,
  status: 201,
  response: Message,
  errors: { ...errors, ...writeErrors }
})
