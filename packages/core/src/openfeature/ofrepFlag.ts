import stringify from 'fast-json-stable-stringify'
import type { PreparedVariable } from '../prepare.ts'
import { isStatic } from '../static.ts'
import { hash } from '../targeting/hash.ts'
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

/** A response for a flag, with what is derived from it at first use. */
export class FlagResponse {
  readonly flag: OfrepFlag
  #text: string | undefined
  #hashes: readonly [number, number] | undefined

  constructor(flag: OfrepFlag) {
    this.flag = flag
  }

  /** The response as JSON. */
  get text(): string {
    this.#text ??= JSON.stringify(this.flag)
    return this.#text
  }

  /** Two hashes that are equal for equal responses, regardless of the order of properties. */
  get hashes(): readonly [number, number] {
    if (this.#hashes) return this.#hashes
    const text = stringify(this.flag)
    this.#hashes = [hash(text, 1), hash(text, 2)]
    return this.#hashes
  }
}

/**
 * Converts the result for a variable to OFREP. Successes are frozen, cached and shared.
 * @internal Keeps prepared configs out of the published declarations: a ninth of the installed size.
 */
export function toResponse(key: string, resolution: Resolution, prepared: PreparedVariable | undefined): FlagResponse {
  if (resolution.status === 'unknown') {
    return new FlagResponse({ key, errorCode: 'FLAG_NOT_FOUND', errorDetails: `flag "${key}" does not exist` })
  }
  if (resolution.status === 'failed') return new FlagResponse({ key, ...toFailure(resolution.problem) })
  const cached = successes.get(resolution)
  if (cached && cached.prepared === prepared) return cached.response
  const response = new FlagResponse(Object.freeze(toSuccess(key, resolution, prepared)))
  successes.set(resolution, { prepared, response })
  return response
}

/** Successes by resolution. `recompile` may reuse a resolution after the variable changed, hence `prepared`. */
const successes = new WeakMap<
  Resolution,
  { readonly prepared: PreparedVariable | undefined; readonly response: FlagResponse }
>()

function toSuccess(
  key: string,
  resolution: Resolution & { readonly status: 'served' | 'unserved' | 'disabled' },
  prepared: PreparedVariable | undefined
): OfrepSuccess {
  if (resolution.status !== 'served') {
    const metadata = variableMetadata(prepared?.variable)
    const reason = resolution.status === 'unserved' ? 'DEFAULT' : 'DISABLED'
    return { key, reason, ...resolution.offValue, ...(metadata && { metadata: Object.freeze(metadata) }) }
  }
  const { variable, feature } = resolution
  return {
    key,
    reason: toReason(variable.eval, prepared),
    value: variable.value,
    variant: feature.variationKey,
    metadata: Object.freeze({
      ...variableMetadata(prepared?.variable),
      ...originMetadata(variable._feature, variable.eval)
    })
  }
}

/** Returns OpenFeature's reason. It has none for overrides; STATIC is the closest. */
function toReason({ reason }: EvalReason, prepared: PreparedVariable | undefined): string {
  const isFixed = reason === 'OVERRIDE' || (prepared !== undefined && isStatic(prepared))
  return isFixed ? 'STATIC' : reason
}

function toFailure({ code, message }: Problem): Pick<OfrepFailure, 'errorCode' | 'errorDetails'> {
  return { errorCode: code === 'MISSING_USER_ID' ? 'TARGETING_KEY_MISSING' : 'PARSE_ERROR', errorDetails: message }
}
