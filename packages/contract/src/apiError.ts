/** The API answered with a status that is not the operation's success. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** The id of the operation; `token` when it was the token that was refused. */
  readonly operation: string
  readonly status: number
  /** The answer's body: JSON when it was, text otherwise. */
  readonly body: unknown
  /** After how many seconds to ask again, where the answer says so. */
  readonly retryAfter: number | undefined

  constructor(operation: string, status: number, body: unknown, headers?: Headers) {
    super(`${operation} answered ${status}: ${typeof body === 'string' ? body : JSON.stringify(body)}`)
    this.operation = operation
    this.status = status
    this.body = body
    const seconds = headers?.get('retry-after') ?? ''
    this.retryAfter = /^\d+$/.test(seconds) ? Number(seconds) : undefined
  }
}
