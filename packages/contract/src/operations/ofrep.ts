import { z } from 'zod'
import { operation } from '../operation.ts'
import {
  BulkEvaluation,
  BulkFailure,
  EvaluationFailure,
  EvaluationRequest,
  EvaluationSuccess
} from '../schema/ofrep.ts'

const credential = { type: 'sdkKey', keyTypes: ['server', 'client', 'mobile'], inApiKeyHeader: true } as const

/** One flag for an evaluation context. */
export const ofrepEvaluateFlag = operation({
  id: 'ofrepEvaluateFlag',
  summary: 'Evaluate one flag for a context',
  description:
    'A flag that is switched off or not served to this context answers 200 without a value: use your default.',
  tag: 'OFREP',
  method: 'POST',
  path: '/ofrep/v1/evaluate/flags/{key}',
  params: z.object({ key: z.string() }),
  body: EvaluationRequest,
  status: 200,
  response: EvaluationSuccess,
  errors: {
    400: EvaluationFailure,
    401: EvaluationFailure,
    403: EvaluationFailure,
    404: EvaluationFailure,
    429: EvaluationFailure,
    500: EvaluationFailure
  },
  credential
})

/** Every flag for an evaluation context. */
export const ofrepEvaluateFlags = operation({
  id: 'ofrepEvaluateFlags',
  summary: 'Evaluate all flags for a context',
  description:
    'Client and mobile keys see the flags that are visible to them. One flag that cannot be evaluated does not fail the others.',
  tag: 'OFREP',
  method: 'POST',
  path: '/ofrep/v1/evaluate/flags',
  body: EvaluationRequest,
  status: 200,
  response: BulkEvaluation,
  errors: { 400: BulkFailure, 401: BulkFailure, 403: BulkFailure, 429: BulkFailure, 500: BulkFailure },
  credential,
  isConditional: true
})
