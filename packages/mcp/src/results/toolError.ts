/** The types of tool failures: see docs/reference/tools.md. */
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

export type ErrorType = (typeof errorTypes)[number]

/** The failure of a tool for a known reason. The message is for the assistant. */
export class ToolError extends Error {
  override readonly name = 'ToolError'
  readonly type: ErrorType
  /** Seconds to wait before a retry. */
  readonly retryAfter: number | undefined

  constructor(type: ErrorType, message: string, options: ErrorOptions & { readonly retryAfter?: number } = {}) {
    super(message, options)
    this.type = type
    this.retryAfter = options.retryAfter
  }
}
