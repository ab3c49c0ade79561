/** The API answered with a status that is not the operation's success. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** The id of the operation; `token` when it was the token that was refused. */
  readonly operation: string
  readonly status: number
  /** The answer's body: JSON when it was, text otherwise. */
  readonly body: unknown

  constructor(operation: string, status: number, body: unknown) {
    super(`${operation} answered ${status}: ${typeof body === 'string' ? body : JSON.stringify(body)}`)
    this.operation = operation
    this.status = status
    this.body = body
  }
}
