import type { PreparedVariable } from '../evaluator.ts'
import { isStatic } from '../static.ts'
import type { EvalReason } from '../types/evalReason.ts'
import type { Problem } from '../types/problem.ts'
import type { Resolution } from '../types/resolution.ts'
import type { Json, Metadata } from '../types/variable.ts'
import { ownMetadata, toMetadata } from './metadata.ts'

/** OFREP's answer for one flag. A success without `value` tells the application to use its own default. */
export type OfrepFlag = OfrepSuccess | OfrepFailure

/** A flag that was evaluated. */
export interface OfrepSuccess {
  readonly key: string
  readonly reason: string
  readonly value?: Json
  readonly variant?: string
  readonly metadata?: Metadata
}

/** A flag that could not be evaluated. */
export interface OfrepFailure {
  readonly key: string
  readonly errorCode: 'FLAG_NOT_FOUND' | 'TARGETING_KEY_MISSING' | 'PARSE_ERROR'
  readonly errorDetails: string
}

/** What became of a flag, as OFREP answers it. The answer for what is served is frozen and shared. */
export function toOfrep(key: string, resolution: Resolution, prepared: PreparedVariable | undefined): OfrepFlag {
  switch (resolution.status) {
    case 'served': {
      const known = answers.get(resolution)
      if (known && known.prepared === prepared) return known.flag
      const flag = toSuccess(key, resolution, prepared)
      answers.set(resolution, { prepared, flag })
      return flag
    }
    case 'unserved':
    case 'disabled': {
      const own = ownMetadata(prepared?.variable)
      const reason = resolution.status === 'unserved' ? 'DEFAULT' : 'DISABLED'
      return { key, reason, ...resolution.offValue, ...(own && { metadata: own }) }
    }
    case 'unknown':
      return { key, errorCode: 'FLAG_NOT_FOUND', errorDetails: `flag "${key}" does not exist` }
    case 'failed':
      return { key, ...toFailure(resolution.problem) }
  }
}

/** The answers for what is served. A resolution is the same object for everybody who is served it, and outlives the variable's preparation where the config changes elsewhere. */
const answers = new WeakMap<
  Resolution,
  { readonly prepared: PreparedVariable | undefined; readonly flag: OfrepSuccess }
>()

function toSuccess(
  key: string,
  { variable, feature }: Resolution & { readonly status: 'served' },
  prepared: PreparedVariable | undefined
): OfrepSuccess {
  return Object.freeze({
    key,
    reason: toReason(variable.eval, prepared),
    value: variable.value,
    variant: feature.variationKey,
    metadata: Object.freeze({ ...ownMetadata(prepared?.variable), ...toMetadata(variable._feature, variable.eval) })
  })
}

/** OpenFeature has a word for what is the same for everybody, and none for an override: to the caller it is a fixed value. */
function toReason({ reason }: EvalReason, prepared: PreparedVariable | undefined): string {
  const isFixed = reason === 'OVERRIDE' || (prepared !== undefined && isStatic(prepared))
  return isFixed ? 'STATIC' : reason
}

function toFailure({ code, message }: Problem): Pick<OfrepFailure, 'errorCode' | 'errorDetails'> {
  return { errorCode: code === 'MISSING_USER_ID' ? 'TARGETING_KEY_MISSING' : 'PARSE_ERROR', errorDetails: message }
}
