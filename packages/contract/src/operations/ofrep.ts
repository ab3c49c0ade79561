import { z } from 'zod'
import { defineOperation, sdkKeyTypes } from '../operation.ts'
import {
  BulkEvaluation,
  BulkFailure,
  EvaluationFailure,
  EvaluationRequest,
  EvaluationSuccess
} from '../schema/ofrep.ts'

const credential = { type: 'sdkKey', keyTypes: sdkKeyTypes, inApiKeyHeader: true } as const

/** Every failure of OFREP has one body, whatever its status. */
function failuresWith(body: z.ZodType, ...more: number[]): { readonly [status: number]: z.ZodType } {
  const statuses = [400, 401, 403, 413, 415, 429, 500, ...more]
  return Object.fromEntries(statuses.map((status) => [status, body]))
}

/** One flag for an evaluation context. */
export const ofrepEvaluateFlag = defineOperation({
  id: 'ofrepEvaluateFlag',
  summary: 'Evaluate one flag for a context',
  description:
    'A flag that is switched off or not served to this context answers 200 without a value: use your default.',
  tag: 'OFREP',
  method: 'POST',
  path: '/ofrep/v1/evaluate/flags/{key}',
  params: z.object({ key: z.string() }),
  body: EvaluationRequest,
  readsBody: true,
  rateLimit: 'requests',
  status: 200,
  response: EvaluationSuccess,
  errors: failuresWith(EvaluationFailure, 404),
  credential
})

/** What a client was told of a change before it asks again. No server is behind what it has told itself, so nothing depends on them. */
const ChangeHints = z.object({
  flagConfigEtag: z.string().optional().meta({ description: 'The ETag that a stream told of.' }),
  flagConfigLastModified: z.string().optional().meta({ description: 'The time of the change that it told of.' })
})

/** Every flag for an evaluation context. */
export const ofrepEvaluateFlags = defineOperation({
  id: 'ofrepEvaluateFlags',
  summary: 'Evaluate all flags for a context',
  description:
    'Client and mobile keys see the flags that are visible to them. One flag that cannot be evaluated does not fail the others.',
  tag: 'OFREP',
  method: 'POST',
  path: '/ofrep/v1/evaluate/flags',
  query: ChangeHints,
  body: EvaluationRequest,
  readsBody: true,
  rateLimit: 'requests',
  status: 200,
  response: BulkEvaluation,
  errors: failuresWith(BulkFailure),
  credential,
  responseKind: 'conditional'
})
