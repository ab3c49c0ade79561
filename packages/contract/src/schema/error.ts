import { z } from 'zod'

/** The answer when a request of the Bucketing API is refused. */
export const ErrorBody = z
  .object({
    statusCode: z.number().optional(),
    message: z.string(),
    data: z.record(z.string(), z.unknown()).optional()
  })
  .meta({ id: 'Error', example: { statusCode: 404, message: 'variable "new-checkot" does not exist' } })
export type ErrorBody = z.infer<typeof ErrorBody>

/** The answer of an operation whose only result is that it was done. */
export const Message = z
  .object({ message: z.string() })
  .meta({ id: 'Message', example: { message: 'Successfully received 1 event' } })
export type Message = z.infer<typeof Message>

/** The refusals that every operation of the Bucketing API knows. */
export const commonErrors = { 400: ErrorBody, 401: ErrorBody, 403: ErrorBody, 500: ErrorBody } as const

/** The further refusals of an operation that takes a body. */
export const bodyErrors = { 413: ErrorBody, 415: ErrorBody } as const

/** The further refusals of an operation that keeps something. */
export const writeErrors = { 503: ErrorBody } as const

/** The further refusals of an operation that there can be no room for. */
export const capacityErrors = { 503: ErrorBody } as const
