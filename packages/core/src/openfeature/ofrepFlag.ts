import type { PreparedVariable } from '../prepare.ts'
import { isStatic } from '../static.ts'
import type { EvalReason } from '../types/evalReason.ts'
import type { Problem } from '../types/problem.ts'
import type { Resolution } from '../types/resolution.ts'
import type { Json, Metadata } from '../types/variable.ts'
import { originMetadata, variableMetadata } from './metadata.ts'

/** OFREP's response for a flag. A success without `value` makes the application use its default. */
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

/** Converts the result for a variable to OFREP. Successes with a value are frozen, cached and shared. */
export function toFlag(key: string, resolution: Resolution, prepared: PreparedVariable | undefined): OfrepFlag {
  switch (resolution.status) {
    case 'served': {
      const cached = successes.get(resolution)
      if (cached && cached.prepared === prepared) return cached.flag
      const flag = toSuccess(key, resolution, prepared)
      successes.set(resolution, { prepared, flag })
      return flag
    }
    case 'unserved':
    case 'disabled': {
      const metadata = variableMetadata(prepared?.variable)
      const reason = resolution.status === 'unserved' ? 'DEFAULT' : 'DISABLED'
      return { key, reason, ...resolution.offValue, ...(metadata && { metadata }) }
    }
    case 'unknown':
      return { key, errorCode: 'FLAG_NOT_FOUND', errorDetails: `flag "${key}" does not exist` }
    case 'failed':
      return { key, ...toFailure(resolution.problem) }
  }
}

/** Successes by resolution. `recompile` may reuse a resolution after the variable changed, hence `prepared`. */
const successes = new WeakMap<
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
    metadata: Object.freeze({
      ...variableMetadata(prepared?.variable),
      ...originMetadata(variable._feature, variable.eval)
    })
  })
}

/** Returns OpenFeature's reason. It has none for overrides; STATIC is the closest. */
function toReason({ reason }: EvalReason, prepared: PreparedVariable | undefined): string {
  const isFixed = reason === 'OVERRIDE' || (prepared !== undefined && isStatic(prepared))
  return isFixed ? 'STATIC' : reason
}

function toFailure({ code, message }: Problem): Pick<OfrepFailure, 'errorCode' | 'errorDetails'> {
  return { errorCode: code === 'MISSING_USER_ID' ? 'TARGETING_KEY_MISSING' : 'PARSE_ERROR', errorDetails: message }
}
