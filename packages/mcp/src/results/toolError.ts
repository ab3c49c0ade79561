import type { Permission } from '@burgee/contract'

/** The types of tool failures: see docs/reference/tools.md. */
export const toolErrorTypes = [
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

export type ToolErrorType = (typeof toolErrorTypes)[number]

interface ToolErrorOptions extends ErrorOptions {
  readonly retryAfter?: number
  readonly missingPermission?: Permission
}

/** The failure of a tool for a known reason. The message is for the assistant. */
export class ToolError extends Error {
  override readonly name = 'ToolError'
  readonly type: ToolErrorType
  /** Seconds to wait before a retry. */
  readonly retryAfter: number | undefined
  /** The permission that the caller lacks, if that is the reason. */
  readonly missingPermission: Permission | undefined

  constructor(type: ToolErrorType, message: string, options: ToolErrorOptions = {}) {
    super(message, options)
    this.type = type
    this.retryAfter = options.retryAfter
    this.missingPermission = options.missingPermission
  }
}
