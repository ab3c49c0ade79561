/** The kinds of failure of a tool (specification 3, "Errors"). */
export const errorTypes = [
  'AUTHENTICATION_ERROR',
  'PERMISSION_ERROR',
  'RESOURCE_NOT_FOUND',
  'VALIDATION_ERROR',
  'SCHEMA_VALIDATION_ERROR',
  'RATE_LIMIT_ERROR',
  'NETWORK_ERROR',
  'PROJECT_ERROR',
  'UNKNOWN_ERROR'
] as const

/** One of these. */
export type ErrorType = (typeof errorTypes)[number]

/** A tool cannot do what it was called for, and knows why. Its message is for the assistant. */
export class ToolError extends Error {
  override readonly name = 'ToolError'
  readonly type: ErrorType
  /** In how many seconds to try again. */
  readonly retryAfter: number | undefined

  constructor(type: ErrorType, message: string, options: ErrorOptions & { readonly retryAfter?: number } = {}) {
    super(message, options)
    this.type = type
    this.retryAfter = options.retryAfter
  }
}
