import stringify from 'fast-json-stable-stringify'
import type { EvaluateOptions, Evaluator } from './evaluator.ts'
import type { ContextUser } from './openfeature/contextUser.ts'
import { type OfrepFlag, toFlag } from './openfeature/ofrepFlag.ts'
import { hash } from './targeting/hash.ts'
import type { Resolution } from './types/resolution.ts'

export { type ContextUser, toUser } from './openfeature/contextUser.ts'
export { evaluationMetadata } from './openfeature/metadata.ts'
export type { OfrepFailure, OfrepFlag, OfrepSuccess } from './openfeature/ofrepFlag.ts'

/** Evaluates a flag for the user of an evaluation context and returns OFREP's response for it. */
export function ofrepFlag(
  evaluator: Evaluator<object>,
  contextUser: ContextUser,
  key: string,
  options?: EvaluateOptions
): OfrepFlag {
  return toOfrepFlag(evaluator, contextUser, key, evaluator.resolve(contextUser.user, key, options))
}

/** Returns OFREP's response for a result of `evaluator.resolve`, for callers that need the result too. */
export function toOfrepFlag(
  evaluator: Evaluator<object>,
  { error }: ContextUser,
  key: string,
  resolution: Resolution
): OfrepFlag {
  return withContextError(toFlag(key, resolution, evaluator.prepared.variables.get(key)), error)
}

/** Evaluates all flags. Returns OFREP's responses in the order of keys, with a fingerprint that changes with them. */
export function ofrepFlags(
  evaluator: Evaluator<object>,
  contextUser: ContextUser,
  options?: EvaluateOptions
): { flags: OfrepFlag[]; fingerprint: string } {
  // All flags must be evaluated at the same time.
  const fixed = { ...options, now: options?.now ?? Date.now() }
  const resolutions = evaluator.resolveAll(contextUser.user, fixed)
  const flags = [...evaluator.prepared.variables].map(([key, prepared], index) =>
    withContextError(toFlag(key, resolutions[index] ?? { status: 'unknown' }, prepared), contextUser.error)
  )
  return { flags, fingerprint: fingerprint(flags) }
}

/** Replaces the general message about a missing targeting key with the specific one. */
function withContextError(flag: OfrepFlag, error: ContextUser['error']): OfrepFlag {
  const isMissingKey = error && 'errorCode' in flag && flag.errorCode === 'TARGETING_KEY_MISSING'
  return isMissingKey ? { ...flag, errorDetails: error.message } : flag
}

/** Returns 16 hexadecimal digits that are equal for equal JSON values, regardless of the order of properties. */
function fingerprint(value: unknown): string {
  const text = stringify(value)
  return [1, 2].map((seed) => hash(text, seed).toString(16).padStart(8, '0')).join('')
}
