import type { OfrepSuccess } from '@burgee/core'
import {
  ErrorCode,
  type FlagMetadata,
  type FlagValue,
  type ResolutionDetails,
  StandardResolutionReasons
} from '@openfeature/server-sdk'

/** The type that the application expects. `object` stands for objects, arrays and null. */
export type FlagType = 'boolean' | 'string' | 'number' | 'object'

/** The flag that the application evaluates, and its default. */
export interface EvaluationRequest<T extends FlagValue> {
  readonly key: string
  readonly type: FlagType
  readonly defaultValue: T
}

/** The result of an evaluation, in process or on a server, in the shape of OFREP. */
export type EvaluatedFlag = OfrepSuccess | FlagError

/** An evaluation error. */
export interface FlagError {
  /** An OpenFeature error code. Unknown codes are treated as `GENERAL`. */
  readonly errorCode: string
  readonly errorDetails: string
  readonly metadata?: FlagMetadata
}

/**
 * Converts a result to OpenFeature's resolution details. A value of the wrong type results in the default and an
 * error.
 */
export function toResolutionDetails<T extends FlagValue>(
  flag: EvaluatedFlag,
  request: EvaluationRequest<T>
): ResolutionDetails<T> {
  const { key, type, defaultValue } = request
  const flagMetadata = flag.metadata && { flagMetadata: flag.metadata }
  if ('errorCode' in flag)
    return { ...toErrorDetails(request, toErrorCode(flag.errorCode), flag.errorDetails), ...flagMetadata }
  const { value, variant, reason } = flag
  if (value === undefined) return { value: defaultValue, reason, ...flagMetadata }
  if (typeof value !== type) {
    const message = `the value of flag "${key}" is ${describeType(value)}, expected type ${type}`
    return { ...toErrorDetails(request, ErrorCode.TYPE_MISMATCH, message), ...flagMetadata }
  }
  // The type was checked above; the SDK's callers bind the type parameter to the requested type.
  return { value: value as T, reason, ...(variant === undefined ? {} : { variant }), ...flagMetadata }
}

/** Returns resolution details with the default value and an error. */
export function toErrorDetails<T extends FlagValue>(
  { defaultValue }: EvaluationRequest<T>,
  errorCode: ErrorCode,
  errorMessage: string
): ResolutionDetails<T> {
  return { value: defaultValue, reason: StandardResolutionReasons.ERROR, errorCode, errorMessage }
}

function toErrorCode(code: string): ErrorCode {
  return Object.values(ErrorCode).find((known) => known === code) ?? ErrorCode.GENERAL
}

function describeType(value: unknown): string {
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
