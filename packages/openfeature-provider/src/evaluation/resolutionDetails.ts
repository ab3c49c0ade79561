import type { OfrepSuccess } from '@burgee/core'
import {
  ErrorCode,
  type FlagMetadata,
  type FlagValue,
  type ResolutionDetails,
  StandardResolutionReasons
} from '@openfeature/server-sdk'
import { type FlagType, isOfType } from '../flagType.ts'

/** What an application asked for. */
export interface EvaluationRequest<T extends FlagValue> {
  readonly key: string
  readonly type: FlagType
  readonly defaultValue: T
}

/** A flag that was evaluated, here or by a server, in OFREP's form. */
export type EvaluatedFlag = OfrepSuccess | FlagError

/** A flag that has no result, and why. */
export interface FlagError {
  /** One of OpenFeature's error codes; any other counts as `GENERAL`. */
  readonly errorCode: string
  readonly errorDetails: string
  readonly metadata?: FlagMetadata
}

/** An evaluated flag as OpenFeature's SDK takes it: the value only if it is of the type that was asked for, otherwise the default and why. */
export function toResolutionDetails<T extends FlagValue>(
  flag: EvaluatedFlag,
  question: EvaluationRequest<T>
): ResolutionDetails<T> {
  const { key, type, defaultValue } = question
  const flagMetadata = flag.metadata && { flagMetadata: flag.metadata }
  if ('errorCode' in flag)
    return { ...toErrorDetails(question, toErrorCode(flag.errorCode), flag.errorDetails), ...flagMetadata }
  const { value, variant, reason } = flag
  if (value === undefined) return { value: defaultValue, reason, ...flagMetadata }
  if (!isOfType(value, type)) {
    const message = `flag "${key}" has ${describeType(value)} as its value, and not one of type ${type}`
    return { ...toErrorDetails(question, ErrorCode.TYPE_MISMATCH, message), ...flagMetadata }
  }
  // Its type was checked; the SDK's callers name the type parameter by the method that they call.
  return { value: value as T, reason, ...(variant === undefined ? {} : { variant }), ...flagMetadata }
}

/** The default, and the error that is why. */
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
