import { ApiError, preconditionFailed } from '../../lib/errors.ts'
import { DuplicateError } from '../../storage/store.ts'

/** What was right when a change request was made is not the fault of whoever goes on with it. @throws {ApiError} 412 where it was a 400 */
export function rethrowAsPreconditionFailed(error: unknown): never {
  const isMistake = error instanceof ApiError && error.status === 400
  if (!isMistake && !(error instanceof DuplicateError)) throw error
  throw preconditionFailed(`the change cannot be made any more: ${error.message}`)
}
