import type { EvaluationFailure } from '@burgee/contract/schemas'
import { HttpError } from '../../../lib/errors.ts'

/** An error of OFREP with its code. */
export class OfrepHttpError extends HttpError {
  readonly errorCode: EvaluationFailure['errorCode']

  constructor(errorCode: EvaluationFailure['errorCode'], message: string) {
    super(errorCode === 'FLAG_NOT_FOUND' ? 404 : 400, message)
    this.errorCode = errorCode
  }
}
