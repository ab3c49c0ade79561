import { z } from 'zod'
import { defineOperation, sdkKeyTypes } from '../../operation.ts'
import {
  BulkEvaluation,
  BulkFailure,
  EvaluationFailure,
  EvaluationRequest,
  EvaluationSuccess
} from '../../schema/evaluation/ofrep.ts'
import { UserHashHeaders } from '../../schema/evaluation/userHash.ts'

const credential = { type: 'sdkKey', keyTypes: sdkKeyTypes, inApiKeyHeader: true } as const

/** OFREP uses one error body for all statuses. */
function failuresWith(body: z.ZodType, ...more: number[]): { readonly [status: number]: z.ZodType } {
  const statuses = [400, 401, 403, 413, 415, 429, 500, 503, ...more]
  return Object.fromEntries(statuses.map((status) => [status, body]))
}

/** Evaluate one flag for a context. */
export const ofrepEvaluateFlag = defineOperation({
  id: 'ofrepEvaluateFlag',
  summary: 'Evaluate one flag for a context',
  description:
    'Returns 200 without a value if the flag is off or not served to this context; the application uses its default value.',
  tag: 'OFREP',
  method: 'POST',
  path: '/ofrep/v1/evaluate/flags/{key}',
  params: z.object({ key: z.string() }),
  headers: UserHashHeaders,
  user: 'context',
  body: EvaluationRequest,
  readsBody: true,
  rateLimit: 'requests',
  status: 200,
  response: EvaluationSuccess,
  errors: failuresWith(EvaluationFailure, 404),
  credential
})

/** The version in the change event that caused the request. A server that does not have it yet waits for it. */
const ChangeHints = z.object({
  flagConfigEtag: z.unknown().optional().meta({
    description:
      'The ETag of the change event that caused the request; the response is of that version or a later one. Not validated.'
  }),
  flagConfigLastModified: z.unknown().optional().meta({ description: 'The time of that change. Not validated.' })
})

/** Evaluate all flags for a context. */
export const ofrepEvaluateFlags = defineOperation({
  id: 'ofrepEvaluateFlags',
  summary: 'Evaluate all flags for a context',
  description:
    'Client and mobile keys see the flags that are visible to them. A flag that cannot be evaluated does not fail the others.',
  tag: 'OFREP',
  method: 'POST',
  path: '/ofrep/v1/evaluate/flags',
  query: ChangeHints,
  headers: UserHashHeaders,
  user: 'context',
  body: EvaluationRequest,
  readsBody: true,
  rateLimit: 'requests',
  status: 200,
  response: BulkEvaluation,
  errors: failuresWith(BulkFailure),
  credential,
  responseKind: 'conditional'
})
