import { z } from 'zod'

/** The body of an error response outside of the management API and OFREP. */
export const ErrorBody = z
  .object({
    statusCode: z.number().optional(),
    message: z.string(),
    data: z.record(z.string(), z.unknown()).optional()
  })
  .meta({ id: 'Error', example: { statusCode: 404, message: 'variable "new-checkot" does not exist' } })
export type ErrorBody = z.infer<typeof ErrorBody>

/** The response of an operation without a result. */
export const Message = z
  .object({ message: z.string() })
  .meta({ id: 'Message', example: { message: 'Successfully received 1 event' } })
export type Message = z.infer<typeof Message>

/** The errors of all operations with an SDK key: 503 while the store is unavailable, also for reads. */
export const commonErrors = { 400: ErrorBody, 401: ErrorBody, 403: ErrorBody, 500: ErrorBody, 503: ErrorBody } as const

/** The additional errors of operations with a request body. */
export const bodyErrors = { 413: ErrorBody, 415: ErrorBody } as const
