import { HttpError, type RequestIssue } from '../../../lib/errors.ts'

/** A request body that cannot be read (`malformed`), or that does not match the schema of the operation (`invalid`). */
export class BodyError extends HttpError {
  readonly problem: 'malformed' | 'invalid'

  constructor(problem: 'malformed' | 'invalid', issues: readonly string[], places: readonly RequestIssue[] = []) {
    super(400, issues.join('; '), { issues, places })
    this.problem = problem
  }
}

/** The body exceeds a limit. */
export function tooLarge(limit: string): HttpError {
  return new HttpError(413, `the body is larger than ${limit}`)
}

/** The body cannot be read. */
export function malformed(message: string): HttpError {
  return new BodyError('malformed', [message])
}
